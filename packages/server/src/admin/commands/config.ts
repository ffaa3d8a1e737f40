import { Command } from 'commander';
import { settingsInForce } from '../../settings/in-force.ts';
import { mistypedSettings } from '../../settings/mistyped.ts';
import { settingWarnings } from '../../settings/warnings.ts';
import { type AdminContext, print } from '../context.ts';

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
