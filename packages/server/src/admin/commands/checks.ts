// The commands `config`, `doctor` and `fsck`.
import { flag } from '@svc/cli/command';
import { refuseLackingKeys } from '../../platform/secrets/secret-keys.ts';
import type { Environment } from '../../settings/environment.ts';
import {
  explainSetting,
  mistypedSettings,
  settingsInForce,
  settingWarnings,
} from '../../settings/warnings.ts';
import { command } from '../command.ts';
import { EXIT, openKeyring, usageError, withDatabase } from '../context.ts';
import { examine } from '../doctor/doctor.ts';
import { fsck } from '../fsck/fsck.ts';
import { faultLines } from '../fsck/report.ts';

export const configCommand = command(
  'config',
  'every setting as it is in force, secrets masked, and names that are probably mistyped',
  {
    input: { '--set': flag('only what is set'), '--explain <name>': 'what one setting means and accepts' },
    examples: ['svc-admin config --set', 'svc-admin config --explain TRUST_PROXY'],
    run({ set, explain }, admin) {
      const environment = admin.environment();
      if (explain !== undefined) return explained(explain, environment);
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

function explained(name: string, environment: Environment) {
  let value: ReturnType<typeof explainSetting>;
  try {
    value = explainSetting(name, environment);
  } catch (error) {
    throw usageError((error as Error).message);
  }
  const { accepted } = value;
  const range =
    accepted?.minimum === undefined ? accepted?.pattern : `${accepted.minimum} to ${accepted.maximum}`;
  const acceptedText = accepted?.enum?.join(', ') ?? range;
  const lines = [
    `${value.name}: ${value.meaning}`,
    `value    ${value.value ?? 'unset'} (${value.from})`,
    `default  ${value.default ?? 'unset'}`,
    acceptedText !== undefined && `accepts  ${acceptedText}`,
    value.example !== null && `example  ${value.example}`,
    value.secret && `secret   ${value.name}_FILE may name a file with the value`,
  ];
  return { value, lines: lines.filter((line) => line !== false) };
}

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
        ({ name, status, detail, mend, page }) =>
          `${WORDS[status]} ${name.padEnd(10)} ${detail}${mend === null ? '' : ` -> ${mend}`} (${page})`,
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
