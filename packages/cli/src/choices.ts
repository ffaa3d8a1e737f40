import type { EtchStatus, EventType, TopicId } from '@svc/sdk';
import { InvalidArgumentError, Option } from 'commander';

/** The compiler checks that none is missing. */
const TOPICS = Object.keys({
  crypto: true,
  markets: true,
  sports: true,
  politics: true,
  tech: true,
  ai: true,
  science: true,
  business: true,
  culture: true,
  personal: true,
  other: true,
} satisfies Record<TopicId, true>) as TopicId[];

export const ETCH_STATUSES = Object.keys({
  sealed: true,
  revealed: true,
  retracted: true,
} satisfies Record<EtchStatus, true>) as EtchStatus[];

export const CHALLENGE_STATUSES = ['open', 'closed', 'all'] as const;

const EVENT_TYPES = Object.keys({
  'etch.anchored': true,
  'etch.revealed': true,
  'etch.retracted': true,
  'etch.resolved': true,
  'challenge.closed': true,
  'challenge.resolved': true,
} satisfies Record<EventType, true>) as EventType[];

export const topicOption = (): Option =>
  new Option('--topic <id>', 'the topic').choices(TOPICS).default('other');

export const topicsOption = (): Option => listOption('--topic <list>', 'topic ids, comma-separated', TOPICS);

export const typesOption = (): Option =>
  listOption('--types <list>', 'only these event types, comma-separated (default: all)', EVENT_TYPES);

export function listOption(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words).argParser((value: string) => {
    const named = value.split(',').map((word) => word.trim());
    const unknown = named.find((word) => !words.includes(word));
    if (unknown !== undefined)
      throw new InvalidArgumentError(
        `${JSON.stringify(unknown)} is unknown; accepted are ${words.join(', ')}.`,
      );
    return named.join(',');
  });
}
