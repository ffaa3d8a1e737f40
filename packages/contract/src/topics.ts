import type { Static } from 'typebox';
import { oneOf, shape, text } from './fields.ts';

/** docs/specification.md#topics */
export const TOPIC_LABELS = Object.freeze({
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

export type TopicId = keyof typeof TOPIC_LABELS;
export const TOPIC_IDS = Object.keys(TOPIC_LABELS) as readonly TopicId[];

export const TOPICS: readonly Category[] = Object.freeze(
  TOPIC_IDS.map((id) => Object.freeze({ id, label: TOPIC_LABELS[id] })),
);

export function isTopicId(text: string): text is TopicId {
  return (TOPIC_IDS as readonly string[]).includes(text);
}

export const CategoryId = oneOf(TOPIC_IDS, 'A topic id.');

export const Category = shape('Category', 'A topic.', {
  id: CategoryId,
  label: text("The topic's name for people."),
});
export type Category = Static<typeof Category>;
