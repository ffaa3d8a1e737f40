// The commands `erasures` and `revocations`, which replay a ledger file into the database.
import {
  createRevocationFile,
  type ReplayedRevocations,
  replayRevocations,
} from '../../accounts/key-store.ts';
import { createErasureFile, type Replayed, replayErasures } from '../../acts/erasure-store.ts';
import { vacuumErased } from '../../acts/vacuum.ts';
import type { Db } from '../../db/db.ts';
import type { Config } from '../../settings/config.ts';
import { command, group } from '../command.ts';
import { refuseMissing, withDatabase } from '../context.ts';

interface Ledger<R> {
  name: string;
  description: string;
  write: string;
  replay: string;
  file: (config: Config) => string;
  create: (db: Db, file: string) => () => Promise<number>;
  read: (db: Db, file: string) => Promise<R>;
  words: (replayed: R) => string;
  skipped: string;
}

const ERASURES: Ledger<Replayed> = {
  name: 'erasures',
  description: 'the list of retractions, which a restored backup must not undo',
  write: 'update a file from the ledger: one JSON line for each retraction, without its text',
  replay: 'erase what a ledger names and the database still has: after every restore by other tools',
  file: ({ erasureLedger }) => erasureLedger,
  create: createErasureFile,
  async read(db, file) {
    const done = await replayErasures(db, file);
    if (done.erased + done.takenDown > 0) await vacuumErased(db);
    return done;
  },
  words: ({ entries, erased, takenDown }) =>
    `${entries} lines read, ${erased} etches erased again, ${takenDown} descriptions taken down again`,
  skipped: 'are damaged or name a different hash and were skipped',
};

const REVOCATIONS: Ledger<ReplayedRevocations> = {
  name: 'revocations',
  description: 'the list of revoked keys and ended sessions, which a restored backup must not undo',
  write: 'update a file from the ledger: one JSON line each with a hash and a time, no credentials',
  replay: 'revoke keys and end sessions that a ledger names: after every restore by other tools',
  file: ({ revocationLedger }) => revocationLedger,
  create: createRevocationFile,
  read: replayRevocations,
  words: ({ entries, keys, sessions }) =>
    `${entries} lines read, ${keys} keys revoked again, ${sessions} sessions ended again`,
  skipped: 'are damaged and were skipped',
};

const ledgerCommand = <R extends { refused: number }>(ledger: Ledger<R>) =>
  group(ledger.name, ledger.description, [
    command('write', ledger.write, {
      input: { '[file]': `default: ${ledger.name}.jsonl in LEDGER_DIR, which the service updates itself` },
      async run({ file }, admin) {
        const target = file ?? ledger.file(admin.config());
        const written = await withDatabase(admin.config(), (db) => ledger.create(db, target)());
        return { value: { file: target, written }, lines: [`${written} lines added to ${target}`] };
      },
    }),
    command('replay', ledger.replay, {
      input: { '<file>': '' },
      async run({ file }, admin) {
        await refuseMissing([file]);
        const replayed = await withDatabase(admin.config(), (db) => ledger.read(db, file));
        const { refused } = replayed;
        const skipped = refused > 0 && `${refused} lines ${ledger.skipped}`;
        return { value: replayed, lines: [ledger.words(replayed), skipped], isFault: refused > 0 };
      },
    }),
  ]);

export const erasuresCommand = ledgerCommand(ERASURES);
export const revocationsCommand = ledgerCommand(REVOCATIONS);
