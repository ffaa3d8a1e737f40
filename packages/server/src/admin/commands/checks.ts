import { Command } from 'commander';
import { refuseLackingKeys } from '../../platform/secrets/secret-keys.ts';
import { mistypedSettings, settingsInForce, settingWarnings } from '../../settings/warnings.ts';
import { type Admin, EXIT, openKeyring, withDatabase } from '../context.ts';
import { examine } from '../doctor/doctor.ts';
import { fsck } from '../fsck/fsck.ts';
import { faultLines } from '../fsck/report.ts';

export function configCommand(admin: Admin): Command {
  return new Command('config')
    .description('every setting as it is in force, secrets masked, and names that are probably mistyped')
    .option('--set', 'only what is set', false)
    .action(({ set }: { set: boolean }) => {
      const environment = admin.environment();
      const config = admin.config();
      const all = settingsInForce(environment, config);
      const settings = set ? all.filter(({ from }) => from !== 'default') : all;
      const mistyped = mistypedSettings(environment);
      const width = Math.max(0, ...settings.map(({ name }) => name.length));
      const warnings = settingWarnings(environment, config);
      admin.print({ settings, mistyped, warnings }, [
        ...settings.map(
          ({ name, value, from }) =>
            `${name.padEnd(width)}  ${value ?? '-'}${from === 'default' ? '' : `  (${from})`}`,
        ),
        ...warnings.map((warning) => `setting: ${warning}`),
      ]);
    });
}

const WORDS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

export function doctorCommand(admin: Admin): Command {
  return new Command('doctor')
    .description('check what surrounds the service, and say how to mend what is wrong')
    .addHelpText(
      'after',
      '\nIt checks database, clock, chain, issuer, proxy, BASE_URL, backups, disk and witnesses, each within half a minute, and\n' +
        'changes nothing. Run it with the settings of the service and as its user, while the service runs. A warning does not change\n' +
        `the exit status; a failed check ends with ${EXIT.fault}.`,
    )
    .action(async () => {
      const checks = await examine(admin.config());
      const lines = checks.map(
        ({ name, status, detail, mend }) =>
          `${WORDS[status]} ${name.padEnd(8)} ${detail}${mend === null ? '' : ` -> ${mend}`}`,
      );
      admin.print(
        { checks },
        lines,
        checks.some(({ status }) => status === 'fail'),
      );
    });
}

export function fsckCommand(admin: Admin): Command {
  return new Command('fsck')
    .description('recompute every hash, leaf and root from the stored rows; decrypt every sealed text')
    .addHelpText(
      'after',
      '\nFinds altered hashes, texts and ciphertexts, deleted rows of anchored trees, and rows that break a rule. It does not\n' +
        'read the chain: `svc-admin chain check` finds rows, trees and roots that were rewritten together.\n' +
        'Exit status 1 if it finds a fault.',
    )
    .action(async () => {
      const config = admin.config();
      const keyring = await openKeyring(config);
      const report = await withDatabase(config, async (db) => {
        await refuseLackingKeys(db, keyring);
        return fsck(db, keyring, (step, done) => admin.progress(`${done} ${step}`));
      });
      const { checked, faults, total } = report;
      const lines = [
        ...Object.entries(checked).map(([what, count]) => `${String(count).padStart(10)} ${what}`),
        ...faultLines(report),
        total > faults.length && `and ${total - faults.length} more`,
        total === 0 ? 'Everything fits.' : `${total} faults.`,
      ];
      admin.print({ ok: total === 0, checked, faults, total_faults: total }, lines, total > 0);
    });
}
