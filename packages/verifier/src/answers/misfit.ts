/** A field of an answer that does not fit the request, a pin, or the rest of the answer. */
export interface Misfit {
  /** path in the answer, `etch.reveal_at` */
  field: string;
  expected: unknown;
  /** null: absent */
  shown: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Empty for other values: an answer may be any JSON. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Prefixes fields with the path of their part. */
export class Misfits {
  readonly found: Misfit[];
  private readonly path: string;

  constructor(path: string, found: Misfit[] = []) {
    this.path = path;
    this.found = found;
  }

  within(name: string): Misfits {
    return new Misfits(this.pathOf(name), this.found);
  }

  add(field: string, shown: unknown, expected: unknown): void {
    this.found.push({ field: this.pathOf(field), expected: expected ?? null, shown: shown ?? null });
  }

  /** Unless exactly the expected value. */
  equal(field: string, shown: unknown, expected: unknown): void {
    if ((shown ?? null) !== (expected ?? null)) this.add(field, shown, expected);
  }

  /** `expected` describes what would fit. */
  need(holds: boolean, field: string, shown: unknown, expected: string): void {
    if (!holds) this.add(field, shown, expected);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : name === '' ? this.path : `${this.path}.${name}`;
  }
}

const MOST_SHOWN = 200;

const inWords = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

/**
 * Describes misfits with both values of each field; long values are cut.
 * @example
 * misfitWords([{ field: 'etch.description', expected: 'A tide', shown: 'A flood' }]);
 * // 'etch.description is "A flood", expected is "A tide"'
 */
export const misfitWords = (misfits: readonly Misfit[]): string =>
  misfits
    .map(({ field, expected, shown }) => `${field} is ${inWords(shown)}, expected is ${inWords(expected)}`)
    .join('; ');
