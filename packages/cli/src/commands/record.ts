import type { Command } from 'commander';
import { answer, type Context, serviceCommand } from '../context.ts';
import { etchLine } from '../etch-words.ts';
import { usernameOf } from '../find-account.ts';
import { showPage } from '../open-page.ts';
import { count } from '../options.ts';
import { openSession, type ServiceOptions } from '../session.ts';

interface RecordOptions extends ServiceOptions {
  max: number;
  web: boolean;
}

export function recordCommand(context: Context): Command {
  return serviceCommand('record', 'show the etches of an account, including retracted ones', [
    'svc record',
    'svc record ada --max 100',
    'svc record ada --web',
  ])
    .argument('[username]', 'a username, or its url (default: the account in use)')
    .option('--max <number>', 'show at most this many of the newest etches', count, 30)
    .option('--web', 'open its page in a browser', false)
    .action(async (target: string | undefined, options: RecordOptions) => {
      const { client } = openSession(options, context.env);
      const username =
        target === undefined ? (await client.me()).username : usernameOf(target, client.origin);
      if (options.web)
        return showPage(new URL(`/u/${encodeURIComponent(username)}`, client.origin), options, context);
      const record = client.record(username, { limit: Math.min(options.max, 100) });
      const { user, counts } = await record.first();
      const etches = [];
      for await (const etch of record) {
        etches.push(etch);
        if (etches.length >= options.max) break;
      }
      answer(context, options, { user, counts, etches }, [
        `${user.username} (${user.display_name}), ${user.kind}${user.verified ? ', verified' : ''}`,
        `${counts.total} etches: ${counts.revealed} revealed, ${counts.sealed_pending_reveal} sealed, ${counts.retracted} retracted${counts.taken_down === undefined ? '' : `, ${counts.taken_down} taken down by the operator`}`,
        '',
        ...etches.map(etchLine),
      ]);
    });
}
