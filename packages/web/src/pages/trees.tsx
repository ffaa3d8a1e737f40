import type { Batch } from '@svc/contract';
import { renderPage } from '../layout.tsx';
import { withQuery } from '../links.ts';
import { Glyph } from '../parts/glyph.tsx';
import { CursorPager } from '../parts/lists.tsx';
import type { Page, Site } from '../site.ts';
import { shortHash, Time } from '../parts/values.tsx';
import { countText } from '../format.ts';

interface TreesData {
  batches: readonly Batch[];
  page: { next_cursor: string | null };
}

/** A tree of one etch and the tree of its tombstone have the same root. */
export const treePath = (root: string, kind: 0 | 1): string =>
  withQuery(`/trees/${root}`, kind === 1 ? { kind } : {});

export const leavesText = ({ kind, tree_size: size }: Pick<Batch, 'kind' | 'tree_size'>): string =>
  countText(size, kind === 0 ? 'etch' : 'retraction');

export function treesPage(site: Site, { batches, page }: TreesData, isFirst: boolean): Page {
  return renderPage(
    site,
    {
      title: 'Anchored trees',
      description: 'Every tree whose root is attested on the chain: when, and how many etches it holds.',
      ...(isFirst ? { canonical: `${site.baseUrl}/trees` } : { unlisted: true }),
      alternates: [{ type: 'application/json', href: '/api/v1/batches' }],
      islands: ['times.js'],
    },
    <div class="narrow">
      <header class="page-head">
        <h1>Anchored trees</h1>
        <p class="quiet">
          The hashes of etches are folded into trees. One attestation on the chain ({site.chain.name}) has the
          root of a tree and covers all its leaves. <a href="/verify/how#batch">How to fold a tree</a>.
        </p>
      </header>
      {batches.length === 0 && <p>There is none yet.</p>}
      <ul class="trees">
        {batches.map((batch) => (
          <TreeItem batch={batch} />
        ))}
      </ul>
      <CursorPager
        first={isFirst ? null : '/trees'}
        next={page.next_cursor && withQuery('/trees', { cursor: page.next_cursor })}
      />
    </div>,
  );
}

function TreeItem({ batch }: { batch: Batch }) {
  return (
    <li>
      <Glyph name={batch.kind === 0 ? 'anchored' : 'retracted'} />{' '}
      <a href={treePath(batch.root, batch.kind)}>{leavesText(batch)}</a>{' '}
      <span class="quiet">
        <Time at={batch.anchored_at} precision="seconds" /> ·{' '}
        <span class="outside">
          root <code>{shortHash(batch.root)}</code>
        </span>
      </span>
    </li>
  );
}
