import { Type, type Static } from 'typebox';
import { oneOf, shape } from './fields.ts';

/** docs/specification.md#topics */
export const TOPIC_IDS = [
  'crypto',
  'markets',
  'sports',
  'politics',
  'tech',
  'ai',
  'science',
  'business',
  'culture',
  'personal',
  'other',
] as const;

export type TopicId = (typeof TOPIC_IDS)[number];

export const TOPIC_LABELS: Readonly<Record<TopicId, string>> = Object.freeze({
  crypto: 'Crypto',
  markets: 'Markets',
  sports: 'Sports',
  politics: 'Politics',
  tech: 'Tech',
  ai: 'AI',
  science: 'Science',
  business: 'Business',
  culture: 'Culture',
  personal: 'Personal',
  other: 'Other',
});

export const TOPICS: readonly Category[] = Object.freeze(
  TOPIC_IDS.map((id) => Object.freeze({ id, label: TOPIC_LABELS[id] })),
);

export function isTopicId(text: string): text is TopicId {
  return (TOPIC_IDS as readonly string[]).includes(text);
}

export const CategoryId = oneOf(TOPIC_IDS, 'A topic id.');

export const Category = shape(
  'Category',
  { id: CategoryId, label: Type.String({ description: "The topic's name for people." }) },
  'A topic.',
);
export type Category = Static<typeof Category>;
