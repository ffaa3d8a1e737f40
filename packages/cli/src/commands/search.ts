import type { Command } from 'commander';
import type { EtchStatus, Paged, TopicId } from '@svc/sdk';
import { answer, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { etchLine } from '../etch-words.ts';
import { CommandError, EXIT } from '../exit.ts';
import { count } from '../options.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';

interface SearchOptions extends ServiceOptions {
  in: string;
  status?: string;
  topic?: string;
  sort?: string;
  max: number;
}

/** `svc search` */
export function searchCommand(context: Context): Command {
  return serviceCommand('search', 'search public text, accounts or challenges', [
    'svc search bridge --status revealed',
    'svc search --topic ai,tech --max 100',
    'svc search tide --in accounts',
  ])
    .argument('[words]', 'literal text; without it the newest etches are listed')
    .option('--in <what>', 'etches, accounts or challenges', 'etches')
    .option('--status <list>', 'sealed, revealed, retracted; of challenges: open, closed, all')
    .option('--topic <list>', 'topic ids, comma-separated')
    .option('--sort <order>', 'best, newest, oldest; of accounts and challenges also most')
    .option('--max <number>', 'how many at most', count, 30)
    .action((q: string | undefined, options: SearchOptions) => search(q, options, context));
}

async function search(q: string | undefined, options: SearchOptions, context: Context): Promise<void> {
  const { client } = openSession(options, context.env);
  // The service knows the words of each list; they are passed on as they were typed.
  const asked = {
    q,
    category: options.topic as TopicId | undefined,
    sort: options.sort as 'newest' | undefined,
  };
  switch (options.in) {
    case 'etches': {
      const etches = await take(
        client.search({ ...asked, status: options.status as EtchStatus | undefined }),
        options.max,
      );
      return answer(context, options, { etches }, etches.map(etchLine));
    }
    case 'accounts': {
      const accounts = await take(client.searchAccounts(asked), options.max);
      const words = accounts.map(
        ({ username, kind, display_name, counts }) =>
          `${username}  ${kind}  ${counts.total} etches  ${display_name}`,
      );
      return answer(context, options, { accounts }, words);
    }
    case 'challenges': {
      const status = options.status as 'open' | undefined;
      const challenges = await take(client.searchChallenges({ ...asked, status }), options.max);
      const words = challenges.map(
        ({ id, closed, reveal_at, question }) =>
          `${id}  ${closed ? 'closed' : 'open  '}  ${reveal_at}  ${question}`,
      );
      return answer(context, options, { challenges }, words);
    }
    default:
      throw new CommandError(EXIT.usage, '--in is etches, accounts or challenges');
  }
}

async function take<Item>(list: Paged<Item, unknown>, max: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) {
    items.push(item);
    if (items.length >= max) break;
  }
  return items;
}
