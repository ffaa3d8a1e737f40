import { Command } from 'commander';
import { settingsInForce } from '../../settings/in-force.ts';
import { mistypedSettings, mistypedText } from '../../settings/mistyped.ts';
import { type AdminContext, print } from '../context.ts';

/** `svc-admin config` */
export function configCommand(context: AdminContext): Command {
  return new Command('config')
    .description('every setting as it is in force, secrets masked, and names that are probably mistyped')
    .option('--set', 'only what is set', false)
    .option('--json', 'print JSON', false)
    .action(({ set, json }: { set: boolean; json: boolean }) => {
      const environment = context.environment();
      const all = settingsInForce(environment, context.config());
      const settings = set ? all.filter(({ from }) => from !== 'default') : all;
      const mistyped = mistypedSettings(environment);
      const width = Math.max(0, ...settings.map(({ name }) => name.length));
      print(context, json, { settings, mistyped }, [
        ...settings.map(
          ({ name, value, from }) =>
            `${name.padEnd(width)}  ${value ?? '-'}${from === 'default' ? '' : `  (${from})`}`,
        ),
        ...mistyped.map((one) => `setting: ${mistypedText(one)}`),
      ]);
    });
}
