import { Command } from 'commander';
import { createErasureFile, replayErasures } from '../../acts/erasures.ts';
import { vacuumErased } from '../../acts/vacuum.ts';
import { type AdminContext, AdminError, EXIT, print } from '../context.ts';
import { exists, withDatabase } from '../open.ts';
import { createRevocationFile, replayRevocations } from '../../accounts/revocations.ts';

export function erasuresCommand(context: AdminContext): Command {
  const erasures = new Command('erasures').description(
    'the list of retractions, which a restored backup must not undo',
  );
  erasures
    .command('write')
    .description('update a file from the ledger: one JSON line for each retraction, without its text')
    .argument('[file]', 'default: erasures.jsonl in LEDGER_DIR, which the service updates itself')
    .option('--json', 'print JSON', false)
    .action(async (given: string | undefined, { json }: { json: boolean }) => {
      const file = given ?? context.config().erasureLedger;
      const written = await withDatabase(context.config(), (db) => createErasureFile(db, file)());
      print(context, json, { file, written }, [`${written} lines added to ${file}`]);
    });
  erasures
    .command('replay')
    .description('erase what a ledger names and the database still has: after every restore by other tools')
    .argument('<file>')
    .option('--json', 'print JSON', false)
    .action(async (file: string, { json }: { json: boolean }) => {
      if (!(await exists(file))) throw new AdminError(EXIT.input, `there is no file ${file}`);
      const replayed = await withDatabase(context.config(), async (db) => {
        const done = await replayErasures(db, file);
        if (done.erased + done.takenDown > 0) await vacuumErased(db);
        return done;
      });
      print(context, json, replayed, [
        `${replayed.entries} lines read, ${replayed.erased} etches erased again, ${replayed.takenDown} descriptions taken down again`,
        ...(replayed.refused > 0
          ? [`${replayed.refused} lines are damaged or name a different hash and were skipped`]
          : []),
      ]);
      if (replayed.refused > 0) context.finish(EXIT.fault);
    });
  return erasures;
}

export function revocationsCommand(context: AdminContext): Command {
  const revocations = new Command('revocations').description(
    'the list of revoked keys and ended sessions, which a restored backup must not undo',
  );
  revocations
    .command('write')
    .description('update a file from the ledger: one JSON line each with a hash and a time, no credentials')
    .argument('[file]', 'default: revocations.jsonl in LEDGER_DIR, which the service updates itself')
    .option('--json', 'print JSON', false)
    .action(async (given: string | undefined, { json }: { json: boolean }) => {
      const file = given ?? context.config().revocationLedger;
      const written = await withDatabase(context.config(), (db) => createRevocationFile(db, file)());
      print(context, json, { file, written }, [`${written} lines added to ${file}`]);
    });
  revocations
    .command('replay')
    .description('revoke keys and end sessions that a ledger names: after every restore by other tools')
    .argument('<file>')
    .option('--json', 'print JSON', false)
    .action(async (file: string, { json }: { json: boolean }) => {
      if (!(await exists(file))) throw new AdminError(EXIT.input, `there is no file ${file}`);
      const replayed = await withDatabase(context.config(), (db) => replayRevocations(db, file));
      const { entries, keys, sessions, refused } = replayed;
      print(context, json, replayed, [
        `${entries} lines read, ${keys} keys revoked again, ${sessions} sessions ended again`,
        ...(refused > 0 ? [`${refused} lines are damaged and were skipped`] : []),
      ]);
      if (refused > 0) context.finish(EXIT.fault);
    });
  return revocations;
}
