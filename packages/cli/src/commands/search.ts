import {
  ACCOUNT_SORTS,
  CHALLENGE_SEARCH_SORTS,
  CHALLENGE_STATUSES,
  ETCH_STATUSES,
  SEARCH_SORTS,
} from '@svc/contract/tables';
import { takeUpTo } from '../service-requests.ts';
import type { EtchStatus, TopicId } from '@svc/sdk';
import { choice, command, flag, type InputOf, otherwise, read } from '../command.ts';
import { count, list, SERVICE, TOPICS_LISTED } from '../options.ts';
import type { Context, Shown } from '../context.ts';
import { etchLine } from '../etch-words.ts';
import { usageError } from '../exit.ts';
import { clientOf } from '../session.ts';
import { usernameOf } from '../find-named.ts';
import { showPage } from '../open-page.ts';
import { saveRecord } from '../save-record.ts';

const SORTS = { etches: SEARCH_SORTS, accounts: ACCOUNT_SORTS, challenges: CHALLENGE_SEARCH_SORTS };

const SEARCH = {
  ...SERVICE,
  '[words]': 'literal text (default: list the newest etches)',
  '--in <what>': otherwise(
    'etches',
    choice(Object.keys(SORTS) as (keyof typeof SORTS)[], 'what to search for'),
  ),
  '--status <list>': list(
    [...ETCH_STATUSES, ...CHALLENGE_STATUSES],
    'comma-separated; open, closed and all apply to challenges',
  ),
  ...TOPICS_LISTED,
  '--sort <order>': choice(
    [...new Set(Object.values(SORTS).flat())],
    'most applies to accounts and challenges, soonest and least to challenges',
  ),
  '--max <number>': otherwise(30, read(count, 'how many at most')),
};
type SearchOptions = InputOf<typeof SEARCH>;

export const searchCommand = command('search', 'search public text, accounts or challenges', {
  input: SEARCH,
  examples: [
    'svc search bridge --status revealed',
    'svc search --topic ai,tech --max 100',
    'svc search tide --in accounts',
  ],
  run: search,
});

async function search(options: SearchOptions, context: Context): Promise<Shown> {
  refuseMisfit(options);
  const { words: q, max } = options;
  const client = clientOf(options, context);
  const category = options.topic as TopicId | undefined;
  const asked = { q, category, sort: options.sort as 'newest' | undefined };
  const none = noneFound(options);
  switch (options.in) {
    case 'etches': {
      const status = options.status as EtchStatus | undefined;
      const etches = await takeUpTo(client.search({ ...asked, status }), max);
      return { value: { etches }, words: etches.map(etchLine), none };
    }
    case 'accounts': {
      const accounts = await takeUpTo(client.searchAccounts(asked), max);
      const words = accounts.map(
        ({ username, kind, display_name, counts }) =>
          `${username}  ${kind}  ${counts.total} etches  ${display_name}`,
      );
      return { value: { accounts }, words, none };
    }
    case 'challenges': {
      const status = options.status as 'open' | undefined;
      const challenges = await takeUpTo(client.searchChallenges({ ...asked, status }), max);
      const words = challenges.map(
        ({ id, closed, reveal_at, question }) =>
          `${id}  ${closed ? 'closed' : 'open  '}  ${reveal_at}  ${question}`,
      );
      return { value: { challenges }, words, none };
    }
  }
}

function noneFound({ words: q, in: what, status, topic }: SearchOptions): string {
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
  if (sort !== undefined && !SORTS[what].some((known) => known === sort))
    throw usageError(`with --in ${what}, --sort is ${oneOf(SORTS[what])}`);
}

const oneOf = (words: readonly string[]): string =>
  words.length === 0 ? 'not available' : `one of ${words.join(', ')}`;

export const recordCommand = command('record', 'show the etches of an account, including retracted ones', {
  input: {
    ...SERVICE,
    '[username]': 'a username, or its url (default: the account in use)',
    '--max <number>': otherwise(30, read(count, 'show at most this many of the newest etches')),
    '--web': flag('open its page in a browser'),
    '--out <file>': 'save all of it, with the proof that it leaves nothing out, for svc verify',
    '--evidence': flag('with --out: also the proof of time of each anchored etch'),
  },
  examples: [
    'svc record',
    'svc record ada --max 100',
    'svc record ada --web',
    'svc record ada --out record.json --evidence',
  ],
  async run({ username: target, max, web, out, evidence, ...options }, context) {
    if (evidence && out === undefined) throw usageError('--evidence requires --out');
    const client = clientOf(options, context);
    const username = target === undefined ? (await client.me()).username : usernameOf(target, client.origin);
    if (out !== undefined) return saveRecord(client.origin, username, { out, evidence }, context);
    if (web) return showPage(new URL(`/u/${encodeURIComponent(username)}`, client.origin), options, context);
    const record = client.record(username, { limit: Math.min(max, 100) });
    const { user, counts } = await record.first();
    const etches = await takeUpTo(record, max);
    const words = [
      `${user.username} (${user.display_name}), ${user.kind}${user.verified ? ', verified' : ''}`,
      `account id ${user.user_id}`,
      `${counts.total} etches: ${counts.revealed} revealed, ${counts.sealed_pending_reveal} sealed, ${counts.retracted} retracted${counts.taken_down === undefined ? '' : `, ${counts.taken_down} taken down by the operator`}`,
      '',
      ...etches.map(etchLine),
    ];
    return { value: { user, counts, etches }, words };
  },
});
