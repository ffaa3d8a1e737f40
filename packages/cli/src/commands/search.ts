import { take } from '../ask-service.ts';
import { type Command, Option } from 'commander';
import type { EtchStatus, TopicId } from '@svc/sdk';
import { CHALLENGE_STATUSES, count, ETCH_STATUSES, listOption, topicsOption } from '../options.ts';
import { answer, answerList, type Context, serviceCommand, type ServiceOptions } from '../context.ts';
import { etchLine } from '../etch-words.ts';
import { usageError } from '../exit.ts';
import { openSession } from '../session.ts';
import { usernameOf } from '../find-named.ts';
import { showPage } from '../open-page.ts';

const SORTS = {
  etches: ['best', 'newest', 'oldest'],
  accounts: ['best', 'most', 'newest'],
  challenges: ['best', 'soonest', 'newest', 'oldest', 'most', 'least'],
};

interface SearchOptions extends ServiceOptions {
  in: keyof typeof SORTS;
  status?: string;
  topic?: string;
  sort?: string;
  max: number;
}

export function searchCommand(context: Context): Command {
  return serviceCommand('search', 'search public text, accounts or challenges', [
    'svc search bridge --status revealed',
    'svc search --topic ai,tech --max 100',
    'svc search tide --in accounts',
  ])
    .argument('[words]', 'literal text (default: list the newest etches)')
    .addOption(new Option('--in <what>', 'what to search for').choices(Object.keys(SORTS)).default('etches'))
    .addOption(
      listOption('--status <list>', 'comma-separated; open, closed and all apply to challenges', [
        ...ETCH_STATUSES,
        ...CHALLENGE_STATUSES,
      ]),
    )
    .addOption(topicsOption())
    .addOption(
      new Option(
        '--sort <order>',
        'most applies to accounts and challenges, soonest and least to challenges',
      ).choices([...new Set(Object.values(SORTS).flat())]),
    )
    .option('--max <number>', 'how many at most', count, 30)
    .action((q: string | undefined, options: SearchOptions) => search(q, options, context));
}

async function search(q: string | undefined, options: SearchOptions, context: Context): Promise<void> {
  refuseMisfit(options);
  const { client } = openSession(options, context.env);
  const asked = {
    q,
    category: options.topic as TopicId | undefined,
    sort: options.sort as 'newest' | undefined,
  };
  switch (options.in) {
    case 'etches': {
      const status = options.status as EtchStatus | undefined;
      const etches = await take(client.search({ ...asked, status }), options.max);
      return answerList(context, options, { etches }, etches.map(etchLine), noneFound(q, options));
    }
    case 'accounts': {
      const accounts = await take(client.searchAccounts(asked), options.max);
      const words = accounts.map(
        ({ username, kind, display_name, counts }) =>
          `${username}  ${kind}  ${counts.total} etches  ${display_name}`,
      );
      return answerList(context, options, { accounts }, words, noneFound(q, options));
    }
    case 'challenges': {
      const status = options.status as 'open' | undefined;
      const challenges = await take(client.searchChallenges({ ...asked, status }), options.max);
      const words = challenges.map(
        ({ id, closed, reveal_at, question }) =>
          `${id}  ${closed ? 'closed' : 'open  '}  ${reveal_at}  ${question}`,
      );
      return answerList(context, options, { challenges }, words, noneFound(q, options));
    }
  }
}

function noneFound(q: string | undefined, { in: what, status, topic }: SearchOptions): string {
  const filters = [status && `--status ${status}`, topic && `--topic ${topic}`].filter(Boolean).join(' ');
  return `Found no ${what}${q === undefined ? '' : ` with ${JSON.stringify(q)}`}${filters === '' ? '' : ` under ${filters}`}.`;
}

function refuseMisfit({ in: what, status, sort }: SearchOptions): void {
  const statuses: Record<typeof what, readonly string[]> = {
    etches: ETCH_STATUSES,
    accounts: [],
    challenges: CHALLENGE_STATUSES,
  };
  const unknown = status?.split(',').find((word) => !statuses[what].includes(word));
  if (unknown !== undefined || (what === 'challenges' && status?.includes(',') === true))
    throw usageError(`with --in ${what}, --status is ${oneOf(statuses[what])}`);
  if (sort !== undefined && !SORTS[what].includes(sort))
    throw usageError(`with --in ${what}, --sort is ${oneOf(SORTS[what])}`);
}

const oneOf = (words: readonly string[]): string =>
  words.length === 0 ? 'not available' : `one of ${words.join(', ')}`;

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
      const etches = await take(record, options.max);
      answer(context, options, { user, counts, etches }, [
        `${user.username} (${user.display_name}), ${user.kind}${user.verified ? ', verified' : ''}`,
        `${counts.total} etches: ${counts.revealed} revealed, ${counts.sealed_pending_reveal} sealed, ${counts.retracted} retracted${counts.taken_down === undefined ? '' : `, ${counts.taken_down} taken down by the operator`}`,
        '',
        ...etches.map(etchLine),
      ]);
    });
}
