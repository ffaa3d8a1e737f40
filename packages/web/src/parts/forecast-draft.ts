import { type Asked, parseQuestion } from '@svc/protocol/conventions';

/** A field of a forecast as it was typed: an outcome with its probability, or a quantile with its value. */
export interface ForecastPart {
  name: string;
  value: string;
}

/** What of a draft the fields follow from. */
interface Typed {
  parts?: readonly ForecastPart[] | undefined;
  challenge_id?: string | undefined;
}

/** One field of a forecast. */
export interface ForecastField extends ForecastPart {
  /** null: the outcome is named by who makes the forecast */
  known: string | null;
}

/** How many outcomes of one's own there are fields for; more go into one line. */
const OWN_OUTCOMES = 4;
const OWN: readonly (string | null)[] = [
  'yes',
  ...Array.from({ length: OWN_OUTCOMES }, () => null),
  'q10',
  'q50',
  'q90',
];

/** What the composer is to ask for; null where there is no challenge, or its question is not known. */
export const askedBy = (question: string | undefined): Asked | null =>
  question === undefined ? null : parseQuestion(question);

/**
 * The fields that a question has, filled as far as they were; what it does not name keeps its own. Of a challenge whose question
 * cannot be read now there are those that were typed.
 */
export function forecastFields(
  { parts = [], challenge_id: challenge }: Typed,
  question: string | undefined,
): ForecastField[] {
  const asked = askedBy(question);
  if (asked?.asks === 'text') return [];
  const known = asked === null ? (challenge ? [] : OWN) : namedBy(asked);
  const left = parts.filter(({ name, value }) => value !== '' || (name !== '' && !known.includes(name)));
  const take = (name: string): string => {
    const at = left.findIndex((part) => part.name === name);
    return at === -1 ? '' : left.splice(at, 1)[0]!.value;
  };
  const named = known.map((name) => ({
    known: name,
    name: name ?? '',
    value: name === null ? '' : take(name),
  }));
  const places = known.filter((name) => name === null).length;
  const more = Array.from({ length: Math.max(0, left.length - places) }, () => ({
    known: null,
    name: '',
    value: '',
  }));
  return [...named, ...more].map((field) => (field.known === null ? { ...field, ...left.shift() } : field));
}

const namedBy = (asked: Exclude<Asked, { asks: 'text' }>): string[] =>
  asked.asks === 'number' ? asked.levels.map((level) => `q${level}`) : asked.outcomes;

/** What a field is called where it is spoken of. */
export function fieldLabel({ known, name }: Pick<ForecastField, 'known' | 'name'>): string {
  const [, level] = /^q(\d+)$/.exec(known ?? '') ?? [];
  return level === undefined ? (known ?? `Outcome ${name}`.trim()) : `${level} % lie at or below`;
}
