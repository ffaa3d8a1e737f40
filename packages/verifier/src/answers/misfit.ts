/** A field of an answer that does not fit the request, a pin, or the rest of the answer. Both values are JSON. */
export interface Misfit {
  /** the path of the field in the answer, `etch.reveal_at` */
  field: string;
  /** what the request, the pin or the other fields call for */
  expected: unknown;
  /** what the answer shows; null where the answer leaves the field out */
  shown: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none of anything else, because an answer may hold any JSON. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Collects misfits of one part of an answer, whose path comes before each field's name. */
export class Misfits {
  readonly found: Misfit[];
  private readonly path: string;

  constructor(path: string, found: Misfit[] = []) {
    this.path = path;
    this.found = found;
  }

  /** The same list, for a part of this part. */
  within(name: string): Misfits {
    return new Misfits(this.pathOf(name), this.found);
  }

  add(field: string, shown: unknown, expected: unknown): void {
    this.found.push({ field: this.pathOf(field), expected: expected ?? null, shown: shown ?? null });
  }

  /** Notes the field unless it is exactly the expected string, number, boolean or null. */
  equal(field: string, shown: unknown, expected: unknown): void {
    if ((shown ?? null) !== (expected ?? null)) this.add(field, shown, expected);
  }

  /** Notes the field unless the condition holds; `expected` says in words what would fit. */
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
 * Misfits in words, with both values of each field; long values are cut.
 * @example
 * misfitWords([{ field: 'etch.description', expected: 'A tide', shown: 'A flood' }]);
 * // 'etch.description is "A flood", expected is "A tide"'
 */
export const misfitWords = (misfits: readonly Misfit[]): string =>
  misfits
    .map(({ field, expected, shown }) => `${field} is ${inWords(shown)}, expected is ${inWords(expected)}`)
    .join('; ');
