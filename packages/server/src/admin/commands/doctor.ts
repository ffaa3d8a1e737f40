import { Command } from 'commander';
import { type AdminContext, print } from '../context.ts';
import { examine } from '../doctor/doctor.ts';
import { EXIT } from '../exit.ts';

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
