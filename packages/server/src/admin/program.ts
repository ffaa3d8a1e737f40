import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { exportCommand, importCommand } from './commands/archive.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { chainCommand, reAnchorCommand } from './commands/chain.ts';
import { configCommand } from './commands/config.ts';
import { erasuresCommand } from './commands/erasures.ts';
import { fsckCommand } from './commands/fsck.ts';
import { revocationsCommand } from './commands/revocations.ts';
import { scrubCommand } from './commands/scrub.ts';
import { actsCommand, takeDownCommand } from './commands/take-down.ts';
import type { AdminContext } from './context.ts';
import { EXIT } from './exit.ts';
import { VERSION } from '../settings/version.ts';

const TEACHING = `
Run it with the settings of the service: its environment, or its .env in the working directory. With PostgreSQL every
command works beside the running service; the embedded database and chain have room for one process: stop it first.

Every day:
  $ svc-admin fsck                         every hash, leaf and root computed again from what is stored
  $ svc-admin chain check                  every attestation read back from the chain, nonces, the relayer's balance
  $ svc-admin backup /backups/monday       the database (and what is embedded), secrets in a file apart

Every month, and when somebody asks:
  $ svc-admin scrub --window 60            new files for every table with text: what was retracted lies in none of them

When somebody does harm:
  $ svc-admin accounts suspend mallory --reason spam      it still reads, exports, reveals and retracts
  $ svc-admin accounts revoke mallory                     its API keys, and its sessions on the pages
  $ svc-admin accounts hide mallory --reason spam         out of feed and first page, never of record or search
  $ svc-admin take-down kq7f3m --reason personal_data     a text, for good; --yes does it
  $ svc-admin acts                                        what was done, when and by whom

When something happened:
  $ svc-admin restore /backups/monday --erasures /safe/erasures.jsonl --revocations /safe/revocations.jsonl
  $ svc-admin re-anchor                    what the chain lost; says what it would do, --yes does it
  $ svc-admin chain release                what is set aside and needs your word

Before a start:
  $ svc-admin config --set                 the settings in force, secrets masked, and names that are probably mistyped

Moving house:
  $ svc-admin export service.tar.gz        receipts, trees, records and tables in one archive
  $ svc-admin import service.tar.gz        into an empty service

Exit status:
  ${EXIT.fine}   done, nothing is wrong
  ${EXIT.fault}   a check found something, or it was refused
  ${EXIT.unknown}   not everything could be looked at: the chain cannot be asked
  ${EXIT.usage}  bad usage
  ${EXIT.input}  no such account, file, archive or backup
  ${EXIT.unavailable}  the database cannot be reached, or the service is using it
  ${EXIT.config}  a setting is missing or bad`;

export function makeProgram(context: AdminContext): Command {
  const program = new Command('svc-admin')
    .description('Look after a service: check it, back it up, move it, mend it')
    .version(VERSION)
    .addHelpText('after', TEACHING);
  const commands = [
    accountsCommand,
    configCommand,
    chainCommand,
    reAnchorCommand,
    fsckCommand,
    backupCommand,
    restoreCommand,
    exportCommand,
    importCommand,
    erasuresCommand,
    revocationsCommand,
    scrubCommand,
    takeDownCommand,
    actsCommand,
  ];
  for (const make of commands) program.addCommand(make(context));
  throwInPlaceOfExit(program);
  return program;
}

function throwInPlaceOfExit(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help says more)');
  command.commands.forEach(throwInPlaceOfExit);
}
