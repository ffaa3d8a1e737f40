// Chooses etches to try the checks on, at most once a minute per process. Keeps ids only: a retraction shows at once, and
// erased words do not stay in memory.
import type { Etch } from '@svc/contract';
import { chooseExample, type TryExample } from '@svc/web/try-example';
import { readIndexed } from '../../discovery/feed-store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchView } from '../../etches/view.ts';
import type { HttpDependencies } from '../dependencies.ts';

const KEPT_MS = 60_000;
const OF_EACH_LIST = 5;

interface ExampleIds {
  opened?: string | undefined;
  tryable?: string | undefined;
}

export interface EtchExamples {
  /** an anchored etch that opened */
  opened(): Promise<Etch | undefined>;
  tryable(): Promise<TryExample>;
}

export function createEtchExamples({
  db,
  discovery,
  clock,
  view,
}: Pick<HttpDependencies, 'db' | 'discovery' | 'clock' | 'view'>): EtchExamples {
  let kept: { at: number; ids: Promise<ExampleIds> } | undefined;

  async function choose(now: number): Promise<ExampleIds> {
    const most = { openings: OF_EACH_LIST, etches: OF_EACH_LIST };
    const { openings, etches } = await readIndexed(discovery, now, most);
    return {
      opened: openings.find(isChecked)?.id,
      tryable: chooseExample([...openings, ...etches]).etch?.id,
    };
  }

  /** An example is optional, so no ids are kept if the search fails. */
  function ids(): Promise<ExampleIds> {
    const now = clock.now();
    if (!kept || Math.abs(now - kept.at) >= KEPT_MS) kept = { at: now, ids: choose(now).catch(() => ({})) };
    return kept.ids;
  }

  async function read(id: string | undefined): Promise<Etch[]> {
    if (id === undefined) return [];
    const rows = await findEtches(db, [id]);
    return rows.flatMap((row) => (row ? [etchView(row, clock.now(), view)] : []));
  }

  return {
    opened: async () => (await read((await ids()).opened)).find(isChecked),
    tryable: async () => chooseExample(await read((await ids()).tryable)),
  };
}

const isChecked = ({ status, chain }: Etch): boolean => status === 'revealed' && chain.status === 'anchored';
