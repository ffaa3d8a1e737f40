import { Command } from 'commander';
import { refuseLackingKeys } from '../../secrets/secret-keys.ts';
import { type AdminContext, print } from '../context.ts';
import { EXIT } from '../exit.ts';
import { fsck } from '../fsck/fsck.ts';
import type { Report } from '../fsck/report.ts';
import { openKeyring, withDatabase } from '../open.ts';

export function fsckCommand(context: AdminContext): Command {
  return new Command('fsck')
    .description(
      'compute every hash, leaf and root again from what is stored; opens every sealed text with its key',
    )
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nFinds altered hashes, texts and ciphertexts, deleted rows of anchored trees, and rows that break a rule. It does\n' +
        'not ask the chain: somebody who rewrote rows, trees and roots together is found by `svc-admin chain check`.\n' +
        'Exit status 1 when something is wrong.',
    )
    .action(async ({ json }: { json: boolean }) => {
      const config = context.config();
      const keyring = await openKeyring(config);
      let told = performance.now();
      const report = await withDatabase(config, async (db) => {
        await refuseLackingKeys(db, keyring);
        return fsck(db, keyring, (step, done) => {
          if (json || performance.now() - told < 2_000) return;
          told = performance.now();
          context.note(`${done} ${step}\n`);
        });
      });
      printReport(context, json, report);
    });
}

function printReport(context: AdminContext, json: boolean, report: Report): void {
  const { checked, faults, total } = report;
  print(context, json, { ok: total === 0, checked, faults, total_faults: total }, [
    ...Object.entries(checked).map(([what, count]) => `${String(count).padStart(10)} ${what}`),
    ...faults.map(({ kind, id, what }) => `FAULT ${kind} ${id}: ${what}`),
    ...(total > faults.length ? [`and ${total - faults.length} more`] : []),
    total === 0 ? 'Everything fits.' : `${total} faults.`,
  ]);
  if (total > 0) context.finish(EXIT.fault);
}
