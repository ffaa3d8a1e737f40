// `svc witness run --check-index`: recomputes the index of accounts of each log before the witness cosigns.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IndexError } from '@svc/protocol/account-index';
import type { Checkpoint, NamedKey } from '@svc/protocol/tlog';
import { logReader, LogUnread } from '@svc/verifier/account-index';
import { IndexMap } from '../audit/index-map.ts';
import { usageError } from '../exit.ts';
import { rejected, type WitnessAnswer } from './add-checkpoint.ts';
import { originHash } from './witness-folder.ts';

/** A service waits ten seconds for its witness. */
const PATIENCE_MS = 5_000;
/** A large map takes as long to store as a tenth of its accounts' leaves take to check. */
const leavesToSave = ({ accounts }: IndexMap): number => Math.max(10_000, accounts / 10);

interface Checked {
  map: IndexMap;
  /** text of the last checkpoint whose index is right */
  text: string;
  work: Promise<WitnessAnswer | null>;
}

/** @throws {CommandError} when a log has no URL */
export function createIndexChecker(folder: string, logs: readonly NamedKey[], say: (text: string) => void) {
  const checked = new Map<string, Checked>();
  for (const { key, url } of logs) {
    if (url === null)
      throw usageError(
        `--check-index reads the log: write its URL behind its key in ${folder}/logs: log ${key.name}+… https://svc.example.org/log`,
      );
    const map = IndexMap.load(pathOf(key.name), key.name) ?? IndexMap.empty(key.name);
    checked.set(key.name, { map, text: '', work: Promise.resolve(null) });
  }

  function pathOf(origin: string): string {
    return join(folder, `index-${originHash(origin)}`);
  }

  function save(origin: string, map: IndexMap): void {
    try {
      map.save(pathOf(origin));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      say(
        `${pathOf(origin)} cannot be written (${code}): after a restart, the witness recomputes the index of ${origin} from an earlier file; free some space`,
      );
    }
  }

  async function advance(found: Checked, checkpoint: Checkpoint, url: string): Promise<WitnessAnswer | null> {
    const { origin, size, text } = checkpoint;
    try {
      await found.map.advance(logReader(url), checkpoint);
      found.text = text;
      if (found.map.changed >= leavesToSave(found.map)) save(origin, found.map);
      return null;
    } catch (error) {
      if (!(error instanceof IndexError) && !(error instanceof LogUnread)) throw error;
      say(`not cosigned: ${origin}, size ${size}: ${error.message}`);
      return error instanceof IndexError
        ? rejected(422, `the index of accounts is wrong: ${error.message}`)
        : rejected(503, `the index of accounts cannot be recomputed now: ${error.message}`);
    }
  }

  return {
    /** Null: the index is right up to this checkpoint. A check that takes longer goes on after its answer. */
    async check(checkpoint: Checkpoint): Promise<WitnessAnswer | null> {
      const { origin, text } = checkpoint;
      const found = checked.get(origin)!;
      const { url } = logs.find(({ key }) => key.name === origin)!;
      if (text === found.text) return null;
      const before = found.work;
      found.work = before.catch(() => null).then(() => advance(found, checkpoint, url!));
      const late = sleep(PATIENCE_MS, rejected(503, `the witness is recomputing the index of ${origin}`), {
        ref: false,
      });
      return Promise.race([found.work, late]);
    },
    save: (): void => {
      for (const [origin, { map }] of checked) if (map.changed > 0) save(origin, map);
    },
  };
}
