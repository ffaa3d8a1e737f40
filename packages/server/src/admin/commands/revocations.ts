import { Command } from 'commander';
import { createRevocationFile, replayRevocations } from '../../accounts/revocations.ts';
import { type AdminContext, print } from '../context.ts';
import { AdminError, EXIT } from '../exit.ts';
import { exists, withDatabase } from '../open.ts';

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
