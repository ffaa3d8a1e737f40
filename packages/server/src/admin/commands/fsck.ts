import { Command } from 'commander';
import { refuseLackingKeys } from '../../platform/secrets/secret-keys.ts';
import { type AdminContext, print } from '../context.ts';
import { EXIT } from '../exit.ts';
import { fsck } from '../fsck/fsck.ts';
import type { Report } from '../fsck/report.ts';
import { openKeyring, withDatabase } from '../open.ts';

export function fsckCommand(context: AdminContext): Command {
  return new Command('fsck')
    .description('recompute every hash, leaf and root from the stored rows; decrypt every sealed text')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nFinds altered hashes, texts and ciphertexts, deleted rows of anchored trees, and rows that break a rule. It does not\n' +
        'read the chain: `svc-admin chain check` finds rows, trees and roots that were rewritten together.\n' +
        'Exit status 1 if it finds a fault.',
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
