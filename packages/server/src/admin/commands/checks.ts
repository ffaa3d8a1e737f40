import { Command } from 'commander';
import { mistypedSettings, settingsInForce, settingWarnings } from '../../settings/warnings.ts';
import { type AdminContext, EXIT, print } from '../context.ts';
import { examine } from '../doctor/doctor.ts';
import { refuseLackingKeys } from '../../platform/secrets/secret-keys.ts';
import { fsck } from '../fsck/fsck.ts';
import type { Report } from '../fsck/report.ts';
import { openKeyring, withDatabase } from '../open.ts';

export function configCommand(context: AdminContext): Command {
  return new Command('config')
    .description('every setting as it is in force, secrets masked, and names that are probably mistyped')
    .option('--set', 'only what is set', false)
    .option('--json', 'print JSON', false)
    .action(({ set, json }: { set: boolean; json: boolean }) => {
      const environment = context.environment();
      const config = context.config();
      const all = settingsInForce(environment, config);
      const settings = set ? all.filter(({ from }) => from !== 'default') : all;
      const mistyped = mistypedSettings(environment);
      const width = Math.max(0, ...settings.map(({ name }) => name.length));
      const warnings = settingWarnings(environment, config);
      print(context, json, { settings, mistyped, warnings }, [
        ...settings.map(
          ({ name, value, from }) =>
            `${name.padEnd(width)}  ${value ?? '-'}${from === 'default' ? '' : `  (${from})`}`,
        ),
        ...warnings.map((warning) => `setting: ${warning}`),
      ]);
    });
}

const WORDS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

export function doctorCommand(context: AdminContext): Command {
  return new Command('doctor')
    .description('check what surrounds the service, and say how to mend what is wrong')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nIt checks database, clock, chain, issuer, proxy, BASE_URL, backups, disk and witnesses, each within half a minute, and\n' +
        'changes nothing. Run it with the settings of the service and as its user, while the service runs. A warning does not change\n' +
        `the exit status; a failed check ends with ${EXIT.fault}.`,
    )
    .action(async ({ json }: { json: boolean }) => {
      const checks = await examine(context.config());
      print(
        context,
        json,
        { checks },
        checks.map(
          ({ name, status, detail, mend }) =>
            `${WORDS[status]} ${name.padEnd(8)} ${detail}${mend === null ? '' : ` -> ${mend}`}`,
        ),
      );
      if (checks.some(({ status }) => status === 'fail')) context.finish(EXIT.fault);
    });
}

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
