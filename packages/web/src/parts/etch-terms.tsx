// The inputs of an etch that its form passes on as they are: how each is entered, named in an error, and shown for a last
// check. A challenge sets them for its answers.
import { TOPIC_LABELS } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { type FieldNames, TOPIC_NAME, TopicEntry } from './form.tsx';

export const topicLabel = (id: string): string => (TOPIC_LABELS as Partial<Record<string, string>>)[id] ?? id;

/** The control of an entry has the attribute `data-term`, so that the script of blind seals shows and sends it too. */
const TERMS = {
  category_id: { label: 'Topic', name: TOPIC_NAME, Entry: TopicEntry, shown: topicLabel },
};

export type TermName = keyof typeof TERMS;
/** As typed; absent counts as blank. */
export type EtchTerms = Partial<Record<TermName, string>>;

const entries = Object.entries(TERMS) as [TermName, (typeof TERMS)[TermName]][];
export const TERM_NAMES = entries.map(([field]) => field);

export const termFieldNames: FieldNames = Object.fromEntries(
  entries.map(([field, { name }]) => [field, name]),
);

export const typedTerms = (terms: EtchTerms): Record<TermName, string> =>
  Object.fromEntries(TERM_NAMES.map((field) => [field, terms[field] ?? ''])) as Record<TermName, string>;

export const TermEntries = ({ terms }: { terms: EtchTerms }) => (
  <>
    {entries.map(([field, { Entry }]) => (
      <Entry value={terms[field] ?? ''} />
    ))}
  </>
);

export const termFacts = (terms: EtchTerms): [string, ComponentChildren][] =>
  entries.flatMap(([field, { label, shown }]) => {
    const value = terms[field] ?? '';
    return value === '' ? [] : [[label, shown(value)] as [string, ComponentChildren]];
  });
