import { IndexError } from '@svc/protocol/account-index';
import { parseCheckpoint } from '@svc/protocol/tlog';
import { logReader, LogUnread } from '@svc/verifier/account-index';
import type { Progress } from '../context.ts';
import { usageError } from '../exit.ts';
import type { LogFindings } from './compare-log.ts';
import { IndexMap } from './index-map.ts';
import { plural } from './print-audit.ts';

interface RootsJob {
  service: string;
  /** file of the map */
  path: string;
  fresh: boolean;
  progress: Progress;
}

/** Recomputes every index root of a log that was audited without a fault. An interrupted audit continues. */
export async function auditIndexRoots(
  found: LogFindings,
  { service, path, fresh, progress }: RootsJob,
): Promise<LogFindings> {
  const [note] = found.checkpoints;
  if (found.faults.length > 0 || note === undefined) return found;
  const checkpoint = parseCheckpoint(note);
  const { origin, size } = checkpoint;
  const kept = fresh ? null : IndexMap.load(path, origin);
  const map = kept === null || kept.size > size ? IndexMap.empty(origin) : kept;
  const report = await map
    .advance(logReader(`${service}/log`), checkpoint, (at) => progress.show('trees of the log', at, size))
    .then(() => ({ notes: [...found.notes, rightWords(map)] }))
    .catch((error: unknown) => {
      if (error instanceof IndexError) return { faults: [error.message] };
      if (error instanceof LogUnread) return { unproven: [...found.unproven, error.message] };
      throw error;
    });
  try {
    map.save(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(`${path} cannot be written (${code}); name a file in another folder with --state`);
  }
  return { ...found, ...report };
}

const rightWords = ({ entries, accounts }: IndexMap): string =>
  `recomputed from all leaves: ${plural(entries, 'index entry', 'index entries')} since the last audit right, ${plural(accounts, 'account')} in the index`;
