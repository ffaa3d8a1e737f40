import { type Batch, type NumberedPage, ROUTES } from '@svc/contract';
import { narrowPage } from '@svc/web/layout';
import { CursorPager, NumberedPager } from '@svc/web/parts/lists';
import { say } from '@svc/web/parts/prose';
import type { Page, Site } from '@svc/web/site';
import { atTime, explorer, facts, fullHash, shortHash } from '@svc/web/parts/values';
import { countText, withQuery } from '@svc/web/format';
import { Glyph } from '@svc/web/parts/tag';
import { isHex } from '@svc/protocol';
import type { FastifyInstance } from 'fastify';
import { findTree, listLeaves } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { explorerLinks } from '../../etches/chain-view.ts';
import { Failure } from '../../platform/failure.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { answerBatches } from '../routes/records.ts';
import { wantsJson } from './send.ts';
import { takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';

/** A tree of one etch and the tree of its tombstone have the same root. */
export const treePath = (root: string, kind: 0 | 1): string =>
  withQuery(`/trees/${root}`, kind === 1 ? { kind } : {});

export const leavesText = ({ kind, tree_size: size }: Pick<Batch, 'kind' | 'tree_size'>): string =>
  countText(size, kind === 0 ? 'etch' : 'retraction');

const PAGE = 100;

interface TreeRequest {
  Params: { root: string };
  Querystring: { kind?: string; page?: string };
}

const TREE_QUERY = {
  type: 'object',
  properties: { ...ROUTES.getBatch.query.properties, page: ROUTES.searchEtches.query.properties.page },
};

export function mountTreePages(app: FastifyInstance, deps: HttpDependencies): void {
  app.get<{ Querystring: { limit?: string; cursor?: string } }>(
    '/trees',
    { schema: { querystring: ROUTES.listBatches.query } },
    async (request) => {
      await takeAnonymous(deps, request);
      const data = await answerBatches(deps, request.query);
      if (wantsJson(request)) return data;
      return treesPage(siteFor(deps, request), data, request.query.cursor === undefined);
    },
  );

  app.get<TreeRequest>('/trees/:root', { schema: { querystring: TREE_QUERY } }, async (request) => {
    await takeAnonymous(deps, request);
    const { kind, page = 1 } = request.query;
    const data = await load(deps.db, request.params.root.toLowerCase(), { kind, number: Number(page) });
    if (wantsJson(request)) return data;
    return treePage(siteFor(deps, request), { ...data, links: explorerLinks(deps.view, data.batch) });
  });
}

async function load(db: Db, root: string, { kind, number }: { kind: string | undefined; number: number }) {
  const tree = await findNamed(db, root, kind);
  if (!tree) throw new Failure('not_found', 'there is no anchored tree of this root');
  const { id, ...batch } = tree;
  const leaves = await listLeaves(db, id, { limit: PAGE, offset: (number - 1) * PAGE });
  const pages = Math.ceil(batch.tree_size / PAGE);
  return { batch, leaves, page: { number, pages, total: batch.tree_size } };
}

async function findNamed(db: Db, root: string, kind: string | undefined) {
  if (!isHex(root, 32)) return null;
  if (kind !== undefined) return findTree(db, root, kind === '1' ? 1 : 0);
  return (await findTree(db, root, 0)) ?? findTree(db, root, 1);
}

interface TreesData {
  batches: readonly Batch[];
  page: { next_cursor: string | null };
}

function treesPage(site: Site, { batches, page }: TreesData, isFirst: boolean): Page {
  return narrowPage(
    site,
    {
      title: 'Anchored trees',
      description: 'Every tree whose root is attested on the chain: when, and how many etches it holds.',
      lead: 'Every tree that this service attested on the chain, newest first.',
      quiet: say`
        The service folds the hashes of etches, and of retractions, into trees. One attestation on the chain
        (${site.chain.name}) has the root of a tree and proves the time of all its leaves.
        [How to fold a tree](/verify/how#batch) or [check one etch](/verify).
      `,
      ...(isFirst ? { canonical: `${site.baseUrl}/trees` } : { unlisted: true }),
      alternates: [{ type: 'application/json', href: '/api/v1/batches' }],
      islands: ['times.js'],
    },
    batches.length === 0 && <p>There is none yet.</p>,
    <ul class="trees">
      {batches.map((batch) => (
        <li>
          <Glyph name={batch.kind === 0 ? 'anchored' : 'retracted'} />{' '}
          <a href={treePath(batch.root, batch.kind)}>Tree of {leavesText(batch)}</a>
          <span class="quiet attested">
            attested {atTime(batch.anchored_at, 'seconds')} ·{' '}
            <span class="tree-root">{say`root ~${shortHash(batch.root)}~`}</span>
          </span>
        </li>
      ))}
    </ul>,
    <CursorPager
      first={isFirst ? null : '/trees'}
      next={page.next_cursor && withQuery('/trees', { cursor: page.next_cursor })}
    />,
  );
}

interface TreeData {
  batch: Batch;
  leaves: readonly { etch_id: string; hash: string }[];
  page: NumberedPage;
  links: { attestation: string | null; transaction: string | null };
}

function treePage(site: Site, { batch, leaves, page, links }: TreeData): Page {
  const { root, kind } = batch;
  const at = (number: number): string =>
    withQuery(`/trees/${root}`, { kind: kind === 1 ? 1 : null, page: number === 1 ? null : number });
  const folds = levelsOf(batch.tree_size).length - 1;
  const data = withQuery(`/api/v1/batches/${root}`, { kind });
  return narrowPage(
    site,
    {
      title: `Tree ${shortHash(root)}`,
      top: <a href="/trees">Anchored trees</a>,
      heading: `${leavesText(batch)}, anchored together`,
      description: `${leavesText(batch)}, anchored together on ${site.chain.name}.`,
      canonical: site.baseUrl + at(page.number),
      alternates: [{ type: 'application/json', href: data }],
      islands: ['copy.js', 'times.js'],
    },
    facts(
      ['Attested', atTime(batch.anchored_at, 'seconds')],
      ['Root', fullHash(root, 'root')],
      ['Attestation', fullHash(batch.attestation_uid, 'attestation'), explorer(links.attestation)],
      ['Transaction', fullHash(batch.tx_hash, 'transaction'), explorer(links.transaction)],
      ['Folding rules', say`[version ${batch.tree_version}](/verify/how#batch)`],
    ),
    <figure class="path-figure">
      <TreePicture leaves={batch.tree_size} />
      <figcaption>
        {say`
          ${
            folds === 0
              ? 'The one leaf is the root.'
              : `At most ${folds} ${folds === 1 ? 'fold leads' : 'folds lead'} from a leaf to the root.`
          }
          This page shows what the service has stored. [Fold the tree yourself](/verify/how#batch) from
          [all of its leaves](${data}) and compare the root with the attestation.
        `}
      </figcaption>
    </figure>,
    <section>
      <h2>Leaves</h2>
      <p class="quiet">
        {kind === 0 ? 'Hashes of etches' : 'Hashes of etches whose retraction is attested here'}, in order of
        their values.
      </p>
      {leaves.length === 0 && <p>This page of the list is empty.</p>}
      <ol class="leaves" start={(page.number - 1) * PAGE + 1}>
        {leaves.map(({ etch_id: id, hash }) => (
          <li>
            <a href={`/e/${id}`}>{fullHash(hash)}</a>
          </li>
        ))}
      </ol>
    </section>,
    <NumberedPager page={page} href={at} />,
  );
}

const WIDTH = 400;
const ROW = 24;
const LABEL = 84;
const DRAWN = 32;
const PLOT = WIDTH - LABEL - 16;
const MIDDLE = LABEL + PLOT / 2 + 8;

/** Two nodes become one; an odd one moves up unchanged. */
function TreePicture({ leaves }: { leaves: number }) {
  const levels = levelsOf(leaves).reverse();
  const height = levels.length * ROW;
  return (
    <svg
      class="tree-picture"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`From the root down, the levels of the tree have ${levels.join(', ')} nodes.`}
    >
      {leaves <= DRAWN && edgesOf(levels).map((edge) => <line class="edge" {...edge} />)}
      {levels.map((count, index) => (
        <Level
          count={count}
          most={leaves}
          below={2 ** (levels.length - 1 - index)}
          y={index * ROW + ROW / 2}
          isRoot={index === 0}
        />
      ))}
    </svg>
  );
}

function levelsOf(leaves: number): number[] {
  const levels = [leaves];
  while (levels.at(-1)! > 1) levels.push(Math.ceil(levels.at(-1)! / 2));
  return levels;
}

/** In a tree that is drawn whole, a node is over the middle of its leaves. */
const overLeaves = (node: number, below: number, most: number): number =>
  MIDDLE + ((node * below + Math.min((node + 1) * below, most) - most) / 2) * Math.min(72, PLOT / most);

/** From each node to the node above it; `levels` begins with the root. */
function edgesOf(levels: readonly number[]) {
  const leaves = levels.at(-1)!;
  return levels.slice(1).flatMap((count, above) => {
    const below = 2 ** (levels.length - 2 - above);
    return Array.from({ length: count }, (_, node) => ({
      x1: overLeaves(node, below, leaves),
      y1: (above + 1.5) * ROW,
      x2: overLeaves(Math.floor(node / 2), below * 2, leaves),
      y2: (above + 0.5) * ROW,
    }));
  });
}

type LevelProps = {
  count: number;
  most: number;
  /** leaves of a full node */
  below: number;
  y: number;
  isRoot: boolean;
};

function Level({ count, most, below, y, isRoot }: LevelProps) {
  const width = Math.max(8, (PLOT * Math.log2(count + 1)) / Math.log2(most + 1));
  const step = Math.min(18, PLOT / count);
  const place = (node: number): number =>
    most <= DRAWN ? overLeaves(node, below, most) : MIDDLE + (node - (count - 1) / 2) * step;
  return (
    <g class={isRoot ? 'root' : ''}>
      <text x={0} y={y + 4}>
        {isRoot
          ? count === most
            ? 'leaf and root'
            : 'root'
          : count === most
            ? countText(most, 'leaf', 'leaves')
            : count.toLocaleString('en')}
      </text>
      {count <= DRAWN ? (
        Array.from({ length: count }, (_, index) => (
          <circle cx={place(index)} cy={y} r={Math.min(6, (most <= DRAWN ? PLOT / most : step) / 2.5)} />
        ))
      ) : (
        <rect x={MIDDLE - width / 2} y={y - 6} width={width} height={12} rx={6} />
      )}
    </g>
  );
}
