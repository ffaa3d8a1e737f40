import { Command, Option } from 'commander';
import { ACCOUNT_REASONS, type AccountReason } from '../../accounts/store.ts';
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

/** Each act adds a permanent row to a log. */
export function standingCommands(context: AdminContext): Command[] {
  const command = (name: string, description: string): Command =>
    signedBy(new Command(name).description(description).argument('<username>')).option(
      '--json',
      'print JSON',
      false,
    );
  const reason = (): Option =>
    new Option('--reason <reason>', 'the reason; the account sees it')
      .choices([...ACCOUNT_REASONS])
      .makeOptionMandatory();
  const act = <T>(by: string, work: (db: Db, how: ByOperator) => Promise<T>): Promise<T> =>
    withDatabase(context.config(), (db) => refusedAs(doing(db, by).then((how) => work(db, how))));
  const tell = (given: Given, username: string, done: true | null, words: string): void =>
    print(context, given.json, { username, changed: done !== null }, [
      `${username} ${words}${done === null ? ' (as before)' : ''}`,
    ]);

  return [
    command('suspend', 'suspend an account; it can still read, export, reveal and retract')
      .addOption(reason())
      .action(async (username: string, given: Given) => {
        const done = await act(given.by, (db, how) => suspend(db, username, given.reason, how));
        tell(given, username, done, `is suspended: ${given.reason}`);
      }),
    command('restore', 'end a suspension').action(async (username: string, given: Given) => {
      const done = await act(given.by, (db, how) => restoreAccount(db, username, how));
      tell(given, username, done, 'is not suspended');
    }),
    command('revoke', 'revoke the API keys of an account and end its sessions on the pages').action(
      async (username: string, given: Given) => {
        const { keys, sessions } = await act(given.by, (db, how) => revokeAll(db, username, how));
        print(context, given.json, { username, keys, sessions }, [
          `${keys} keys revoked, ${sessions} sessions ended`,
          'Access tokens of the identity provider stay valid until they expire: block the person there as well.',
        ]);
      },
    ),
    command('hide', 'hide an account from the feed and the first page, not from record or search')
      .addOption(reason())
      .action(async (username: string, given: Given) => {
        const done = await act(given.by, (db, how) => hide(db, username, given.reason, how));
        tell(given, username, done, `is hidden from the feed and the first page: ${given.reason}`);
      }),
    command('unhide', 'show an account in the feed again').action(async (username: string, given: Given) => {
      const done = await act(given.by, (db, how) => hide(db, username, null, how));
      tell(given, username, done, 'is shown in the feed');
    }),
  ];
}
