import { Command } from 'commander';
import { type AccountOverview, findOverview, listOverviews } from '../accounts-store.ts';
import { type AdminContext, print } from '../context.ts';
import { AdminError, EXIT } from '../exit.ts';
import { withDatabase } from '../open.ts';
import { standingCommands } from './standing.ts';
import { markOfficial } from '../../accounts/official.ts';

export function accountsCommand(context: AdminContext): Command {
  const accounts = new Command('accounts').description(
    'list accounts, and mark those that speak for the service',
  );
  accounts
    .command('list')
    .description('list accounts by username')
    .option('--after <username>', 'start after this one')
    .option('--limit <number>', 'at most this many', '100')
    .option('--official', 'official accounts only', false)
    .option('--json', 'print JSON', false)
    .action(async (given: { after?: string; limit: string; official: boolean; json: boolean }) => {
      if (!/^[1-9]\d{0,5}$/.test(given.limit))
        throw new AdminError(EXIT.usage, '--limit is a whole number from 1');
      const { officialAccounts } = context.config();
      const found = await withDatabase(context.config(), (db) =>
        listOverviews(db, {
          after: given.after ?? '',
          limit: Number(given.limit),
          ...(given.official && { onlyOfficial: [...officialAccounts] }),
        }),
      );
      const rows = found.map((account) => withOfficial(account, officialAccounts));
      print(context, given.json, { accounts: rows }, [
        ...rows.map(
          (row) =>
            `${row.username}  ${row.kind}${row.official ? '  official' : ''}  ${row.etches} etches  ${row.display_name}`,
        ),
        ...(rows.length === Number(given.limit) ? [`more: --after ${rows.at(-1)!.username}`] : []),
      ]);
    });
  accounts
    .command('show')
    .description('show one account, its keys by prefix, and its number of etches')
    .argument('<username>')
    .option('--json', 'print JSON', false)
    .action(async (username: string, { json }: { json: boolean }) => {
      const { officialAccounts } = context.config();
      const account = await withDatabase(context.config(), (db) => findOverview(db, username));
      if (!account) throw noAccount(username);
      const row = withOfficial(account, officialAccounts);
      const words = Object.entries(row).map(([name, value]) => `${name.padEnd(20)} ${String(value ?? '-')}`);
      print(context, json, { account: row }, words);
    });
  accounts
    .command('official')
    .description('mark an account as official, or remove the mark; processes follow within ten seconds')
    .argument('<username>')
    .argument('<on|off>')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nAn account is official if it is marked here or named in OFFICIAL_ACCOUNTS. A named one stays official until the\n' +
        'setting changes.',
    )
    .action(async (username: string, state: string, { json }: { json: boolean }) => {
      if (state !== 'on' && state !== 'off') throw new AdminError(EXIT.usage, 'the state must be on or off');
      const config = context.config();
      const done = await withDatabase(config, async (db) => {
        const changed = await markOfficial(db, username, state === 'on');
        return changed === null ? null : { changed, account: (await findOverview(db, username))! };
      });
      if (!done) throw noAccount(username);
      const { changed } = done;
      const named = isNamed(done.account, config.officialAccounts);
      const official = state === 'on' || named;
      print(context, json, { username, official, changed }, [
        `${username} is ${official ? '' : 'not '}official${changed ? '' : ' (as before)'}`,
        ...(state === 'off' && named
          ? ['OFFICIAL_ACCOUNTS names it: remove it there and restart the service']
          : []),
      ]);
      if (state === 'off' && named) context.finish(EXIT.fault);
    });
  for (const command of standingCommands(context)) accounts.addCommand(command);
  return accounts;
}

function withOfficial(account: AccountOverview, configured: ReadonlySet<string>) {
  const { marked, ...rest } = account;
  return { ...rest, official: marked || isNamed(account, configured) };
}

function isNamed(account: AccountOverview, configured: ReadonlySet<string>): boolean {
  return configured.has(account.username) || configured.has(account.user_id);
}

const noAccount = (username: string) => new AdminError(EXIT.input, `there is no account ${username}`);
