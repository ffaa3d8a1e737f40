import type { Batch } from '@svc/contract';
import type { VNode } from 'preact';
import { renderPage } from '../layout.tsx';
import { withQuery } from '../links.ts';
import { Explorer } from '../parts/explorer.tsx';
import { Fact, Facts } from '../parts/facts.tsx';
import { Hash, shortHash } from '../parts/hash.tsx';
import { NumberedPager } from '../parts/pager.tsx';
import { Time } from '../parts/time.tsx';
import { levelsOf, TreePicture } from '../parts/tree-picture.tsx';
import type { Page, Site } from '../site.ts';
import { leavesText, treePath } from './trees.tsx';

export interface TreeData {
  batch: Batch;
  leaves: readonly { etch_id: string; hash: string }[];
  page: { number: number; pages: number; total: number };
  links: { attestation: string | null; transaction: string | null };
}

export function treePage(site: Site, { batch, leaves, page, links }: TreeData): Page {
  const here = treePath(batch.root, batch.kind);
  const at = (number: number): string =>
    withQuery(`/trees/${batch.root}`, {
      kind: batch.kind === 1 ? 1 : null,
      page: number === 1 ? null : number,
    });
  const folds = levelsOf(batch.tree_size).length - 1;
  return renderPage(
    site,
    {
      title: `Tree ${shortHash(batch.root)}`,
      description: `${leavesText(batch)}, anchored together on ${site.chain.name}.`,
      canonical: site.baseUrl + at(page.number),
      alternates: [
        {
          type: 'application/json',
          href: withQuery(`/api/v1/batches/${batch.root}`, { kind: batch.kind }),
        },
      ],
      islands: ['copy.js', 'times.js'],
    },
    <div class="narrow">
      <header class="page-head">
        <p class="card-top quiet">
          <a href="/trees">Anchored trees</a>
        </p>
        <h1>{leavesText(batch)}, anchored together</h1>
      </header>
      <Facts>
        <Fact label="Attested" value={<Time at={batch.anchored_at} precision="seconds" />} />
        <Fact label="Root" value={<Hash value={batch.root} copy="root" />} />
        <Fact label="Attestation">
          <Hash value={batch.attestation_uid} copy="attestation" />
          <Explorer href={links.attestation} />
        </Fact>
        <Fact label="Transaction">
          <Hash value={batch.tx_hash} copy="transaction" />
          <Explorer href={links.transaction} />
        </Fact>
        <Fact label="Folding rules" value={`version ${batch.tree_version}`} />
      </Facts>
      <figure class="path-figure">
        <TreePicture leaves={batch.tree_size} />
        <figcaption>
          {folds === 0
            ? 'The one leaf is the root.'
            : `At most ${folds} ${folds === 1 ? 'fold leads' : 'folds lead'} from a leaf to the root.`}{' '}
          This page shows what the service has stored. <a href="/verify/how#batch">Fold the tree yourself</a>{' '}
          from{' '}
          <a href={withQuery(`/api/v1/batches/${batch.root}`, { kind: batch.kind })}>all of its leaves</a> and
          compare the root with the attestation.
        </figcaption>
      </figure>
      <Leaves batch={batch} leaves={leaves} from={(page.number - 1) * PAGE + 1} />
      <NumberedPager page={page} href={(number) => (number === 1 ? here : at(number))} />
    </div>,
  );
}

export const PAGE = 100;

function Leaves({ batch, leaves, from }: Pick<TreeData, 'batch' | 'leaves'> & { from: number }): VNode {
  return (
    <section>
      <h2>Leaves</h2>
      <p class="quiet">
        {batch.kind === 0 ? 'Hashes of etches' : 'Hashes of etches whose retraction is attested here'}, in
        order of their values.
      </p>
      {leaves.length === 0 && <p>This page of the list is empty.</p>}
      <ol class="leaves" start={from}>
        {leaves.map(({ etch_id: id, hash }) => (
          <li>
            <a href={`/e/${id}`}>
              <Hash value={hash} />
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
