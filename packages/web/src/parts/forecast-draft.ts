import { type Asked, parseQuestion } from '@svc/protocol/conventions';

/** As typed: outcome with probability, or quantile with value. */
export interface ForecastPart {
  name: string;
  value: string;
}

interface Typed {
  parts?: readonly ForecastPart[] | undefined;
  challenge_id?: string | undefined;
}

export interface ForecastField extends ForecastPart {
  known: string | null;
}

const OWN_OUTCOMES = 4;
const OWN: readonly (string | null)[] = [
  'yes',
  ...Array.from({ length: OWN_OUTCOMES }, () => null),
  'q10',
  'q50',
  'q90',
];

export const askedBy = (question: string | undefined): Asked | null =>
  question === undefined ? null : parseQuestion(question);

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

export function fieldLabel({ known, name }: Pick<ForecastField, 'known' | 'name'>): string {
  const [, level] = /^q(\d+)$/.exec(known ?? '') ?? [];
  return level === undefined ? (known ?? `Outcome ${name}`.trim()) : `${level} % chance that it is at most`;
}
