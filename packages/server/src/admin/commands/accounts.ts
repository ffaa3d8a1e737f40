import { Command } from 'commander';
import sql, { empty } from 'sql-template-tag';
import { type AdminContext, AdminError, EXIT, print } from '../context.ts';
import { withDatabase } from '../open.ts';
import { standingCommands } from './moderation.ts';
import { markOfficial } from '../../accounts/official.ts';
import type { Queryable } from '../../db/db.ts';

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

interface AccountOverview {
  username: string;
  user_id: string;
  kind: string;
  display_name: string;
  created_at: string;
  public_key: string | null;
  agent_url: string | null;
  agent_domain: string | null;
  operator: string | null;
  social_handle: string | null;
  social_verified_at: string | null;
  etches: number;
  retracted: number;
  challenges: number;
  keys: string[];
  marked: boolean;
  suspended_for: string | null;
  hidden_for: string | null;
}

const OVERVIEW = sql`
  select a.username, a.id as user_id, a.kind, a.display_name, a.created_at, a.public_key, a.agent_url, a.agent_domain,
    (select o.username from account o where o.id = a.operator_id) as operator, a.social_handle, a.social_verified_at,
    (select count(*) from etch e where e.user_id = a.id) as etches,
    (select count(*) from etch e where e.user_id = a.id and e.status = 'retracted') as retracted,
    (select count(*) from challenge c where c.creator_id = a.id) as challenges,
    array(select k.prefix from api_key k where k.user_id = a.id and k.revoked_at is null order by k.created_at) as keys,
    a.suspended_for, a.hidden_for,
    exists (select from official_account o where o.user_id = a.id) as marked
  from account a`;

function listOverviews(
  db: Queryable,
  page: { after: string; limit: number; onlyOfficial?: readonly string[] },
): Promise<AccountOverview[]> {
  const official = page.onlyOfficial
    ? sql`and (a.username = any(${page.onlyOfficial}::text[]) or a.id::text = any(${page.onlyOfficial}::text[]) or exists (select from official_account o where o.user_id = a.id))`
    : empty;
  return db.query(
    sql`${OVERVIEW} where a.username > ${page.after} ${official} order by a.username limit ${page.limit}`,
  );
}

async function findOverview(db: Queryable, username: string): Promise<AccountOverview | undefined> {
  const [row] = await db.query<AccountOverview>(sql`${OVERVIEW} where a.username = ${username}`);
  return row;
}
