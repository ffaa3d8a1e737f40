import { Command, Option } from 'commander';
import { ACCOUNT_REASONS, type AccountReason } from '../../accounts/standing-store.ts';
import { type ByOperator, hide, restoreAccount, revokeAll, suspend } from '../../acts/moderate.ts';
import type { Db } from '../../db/db.ts';
import { type AdminContext, print } from '../context.ts';
import { doing, refusedAs, signedBy } from '../doing.ts';
import { withDatabase } from '../open.ts';

interface Given {
  reason: AccountReason;
  by: string;
  json: boolean;
}

/** `svc-admin accounts suspend` and similar commands. Each adds a permanent row to a log. */
export function standingCommands(context: AdminContext): Command[] {
  const command = (name: string, description: string): Command =>
    signedBy(new Command(name).description(description).argument('<username>')).option(
      '--json',
      'print JSON',
      false,
    );
  const reason = (): Option =>
    new Option('--reason <reason>', 'why; the account is told')
      .choices([...ACCOUNT_REASONS])
      .makeOptionMandatory();
  const act = <T>(by: string, work: (db: Db, how: ByOperator) => Promise<T>): Promise<T> =>
    withDatabase(context.config(), (db) => refusedAs(doing(db, by).then((how) => work(db, how))));
  const tell = (given: Given, username: string, done: true | null, words: string): void =>
    print(context, given.json, { username, changed: done !== null }, [
      `${username} ${words}${done === null ? ' (as before)' : ''}`,
    ]);

  return [
    command(
      'suspend',
      'lets an account change nothing any more; it still reads, exports, reveals and retracts',
    )
      .addOption(reason())
      .action(async (username: string, given: Given) => {
        const done = await act(given.by, (db, how) => suspend(db, username, given.reason, how));
        tell(given, username, done, `is suspended: ${given.reason}`);
      }),
    command('restore', 'ends a suspension').action(async (username: string, given: Given) => {
      const done = await act(given.by, (db, how) => restoreAccount(db, username, how));
      tell(given, username, done, 'is not suspended');
    }),
    command('revoke', 'revokes the API keys of an account and ends its sessions on the pages').action(
      async (username: string, given: Given) => {
        const { keys, sessions } = await act(given.by, (db, how) => revokeAll(db, username, how));
        print(context, given.json, { username, keys, sessions }, [
          `${keys} keys revoked, ${sessions} sessions ended`,
          'Access tokens of the identity provider hold until they end: block the person there as well.',
        ]);
      },
    ),
    command('hide', 'keeps an account out of the feed and off the first page; never out of record or search')
      .addOption(reason())
      .action(async (username: string, given: Given) => {
        const done = await act(given.by, (db, how) => hide(db, username, given.reason, how));
        tell(given, username, done, `stands neither in the feed nor on the first page: ${given.reason}`);
      }),
    command('unhide', 'lets an account into the feed again').action(
      async (username: string, given: Given) => {
        const done = await act(given.by, (db, how) => hide(db, username, null, how));
        tell(given, username, done, 'stands in the feed as others do');
      },
    ),
  ];
}
