import { flag, word } from '@svc/cli/command';
import sql, { empty } from 'sql-template-tag';
import { command, group } from '../command.ts';
import { withDatabase, inputError, usageError } from '../context.ts';
import { accountActs } from './moderation.ts';
import { markOfficial } from '../../accounts/official.ts';
import type { Queryable } from '../../db/db.ts';

const list = command('list', 'list accounts by username', {
  input: {
    '--after <username>': 'start after this one',
    '--limit <number>': word('at most this many', '100'),
    '--official': flag('official accounts only'),
  },
  async run(given, admin) {
    if (!/^[1-9]\d{0,5}$/.test(given.limit)) throw usageError('--limit is a whole number from 1');
    const { officialAccounts } = admin.config();
    const named = [...officialAccounts];
    const official = given.official
      ? sql`and (a.username = any(${named}::text[]) or a.id::text = any(${named}::text[])
            or exists (select from official_account o where o.user_id = a.id))`
      : empty;
    const found = await withDatabase(admin.config(), (db) =>
      db.query<AccountOverview>(sql`
          ${OVERVIEW} where a.username > ${given.after ?? ''} ${official} order by a.username limit ${Number(given.limit)}`),
    );
    const rows = found.map((account) => withOfficial(account, officialAccounts));
    const lines = [
      ...rows.map(
        (row) =>
          `${row.username}  ${row.kind}${row.official ? '  official' : ''}  ${row.etches} etches  ${row.display_name}`,
      ),
      rows.length === Number(given.limit) && `more: --after ${rows.at(-1)!.username}`,
    ];
    return { value: { accounts: rows }, lines };
  },
});

const show = command('show', 'show one account, its keys by prefix, and its number of etches', {
  input: { '<username>': '' },
  async run({ username }, admin) {
    const { officialAccounts } = admin.config();
    const account = await withDatabase(admin.config(), (db) => findOverview(db, username));
    if (!account) throw noAccount(username);
    const row = withOfficial(account, officialAccounts);
    const lines = Object.entries(row).map(([name, value]) => `${name.padEnd(20)} ${String(value ?? '-')}`);
    return { value: { account: row }, lines };
  },
});

const official = command(
  'official',
  'mark an account as official, or remove the mark; processes follow within ten seconds',
  {
    input: { '<username>': '', '<on|off>': '' },
    below:
      '\nAn account is official if it is marked here or named in OFFICIAL_ACCOUNTS. A named one stays official until the\n' +
      'setting changes.',
    async run({ username, 'on|off': state }, admin) {
      if (state !== 'on' && state !== 'off') throw usageError('the state must be on or off');
      const config = admin.config();
      const done = await withDatabase(config, async (db) => {
        const changed = await markOfficial(db, username, state === 'on');
        return changed === null ? null : { changed, account: (await findOverview(db, username))! };
      });
      if (!done) throw noAccount(username);
      const { changed } = done;
      const named = isNamed(done.account, config.officialAccounts);
      const isOfficial = state === 'on' || named;
      const lines = [
        `${username} is ${isOfficial ? '' : 'not '}official${changed ? '' : ' (as before)'}`,
        state === 'off' && named && 'OFFICIAL_ACCOUNTS names it: remove it there and restart the service',
      ];
      const value = { username, official: isOfficial, changed };
      return { value, lines, isFault: state === 'off' && named };
    },
  },
);

export const accountsCommand = group('accounts', 'list accounts, and mark those that speak for the service', [
  list,
  show,
  official,
  ...accountActs,
]);

function withOfficial(account: AccountOverview, configured: ReadonlySet<string>) {
  const { marked, ...rest } = account;
  return { ...rest, official: marked || isNamed(account, configured) };
}

function isNamed(account: AccountOverview, configured: ReadonlySet<string>): boolean {
  return configured.has(account.username) || configured.has(account.user_id);
}

const noAccount = (username: string) => inputError(`there is no account ${username}`);

type AccountOverview = Record<'username' | 'user_id' | 'kind' | 'display_name' | 'created_at', string> &
  Record<'public_key' | 'agent_url' | 'agent_domain' | 'operator', string | null> &
  Record<'social_handle' | 'social_verified_at' | 'suspended_for' | 'hidden_for', string | null> &
  Record<'etches' | 'retracted' | 'challenges', number> & { keys: string[]; marked: boolean };

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

const findOverview = (db: Queryable, username: string) =>
  db.first<AccountOverview>(sql`${OVERVIEW} where a.username = ${username}`);
