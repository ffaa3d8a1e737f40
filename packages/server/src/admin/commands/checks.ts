// The commands `config`, `doctor` and `fsck`.
import { flag } from '@svc/cli/command';
import { refuseLackingKeys } from '../../platform/secrets/secret-keys.ts';
import { mistypedSettings, settingsInForce, settingWarnings } from '../../settings/warnings.ts';
import { command } from '../command.ts';
import { EXIT, openKeyring, withDatabase } from '../context.ts';
import { examine } from '../doctor/doctor.ts';
import { fsck } from '../fsck/fsck.ts';
import { faultLines } from '../fsck/report.ts';

export const configCommand = command(
  'config',
  'every setting as it is in force, secrets masked, and names that are probably mistyped',
  {
    input: { '--set': flag('only what is set') },
    run({ set }, admin) {
      const environment = admin.environment();
      const config = admin.config();
      const all = settingsInForce(environment, config);
      const settings = set ? all.filter(({ from }) => from !== 'default') : all;
      const mistyped = mistypedSettings(environment);
      const width = Math.max(0, ...settings.map(({ name }) => name.length));
      const warnings = settingWarnings(environment, config);
      const lines = [
        ...settings.map(
          ({ name, value, from }) =>
            `${name.padEnd(width)}  ${value ?? '-'}${from === 'default' ? '' : `  (${from})`}`,
        ),
        ...warnings.map((warning) => `setting: ${warning}`),
      ];
      return { value: { settings, mistyped, warnings }, lines };
    },
  },
);

const WORDS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

export const doctorCommand = command(
  'doctor',
  'check what surrounds the service, and say how to mend what is wrong',
  {
    input: {},
    below:
      '\nIt checks database, clock, chain, issuer, proxy, BASE_URL, backups, disk and witnesses, each within half a minute, and\n' +
      'changes nothing. Run it with the settings of the service and as its user, while the service runs. A warning does not change\n' +
      `the exit status; a failed check ends with ${EXIT.fault}.`,
    async run(_given, admin) {
      const checks = await examine(admin.config());
      const lines = checks.map(
        ({ name, status, detail, mend }) =>
          `${WORDS[status]} ${name.padEnd(8)} ${detail}${mend === null ? '' : ` -> ${mend}`}`,
      );
      return { value: { checks }, lines, isFault: checks.some(({ status }) => status === 'fail') };
    },
  },
);

export const fsckCommand = command(
  'fsck',
  'recompute every hash, leaf and root from the stored rows; decrypt every sealed text',
  {
    input: {},
    below:
      '\nFinds altered hashes, texts and ciphertexts, deleted rows of anchored trees, and rows that break a rule. It does not\n' +
      'read the chain: `svc-admin chain check` finds rows, trees and roots that were rewritten together.\n' +
      'Exit status 1 if it finds a fault.',
    async run(_given, admin) {
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
      return { value: { ok: total === 0, checked, faults, total_faults: total }, lines, isFault: total > 0 };
    },
  },
);
