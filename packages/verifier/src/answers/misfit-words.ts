export interface Misfit {
  /** path in the answer, `etch.reveal_at` */
  field: string;
  expected: unknown;
  /** null: absent */
  shown: unknown;
}

const MOST_SHOWN = 200;

const inWords = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

/**
 * Cuts long values.
 * @example
 * misfitWords([{ field: 'etch.description', expected: 'A tide', shown: 'A flood' }]);
 * // 'etch.description is "A flood", expected is "A tide"'
 */
export const misfitWords = (misfits: readonly Misfit[]): string =>
  misfits
    .map(({ field, expected, shown }) => `${field} is ${inWords(shown)}, expected is ${inWords(expected)}`)
    .join('; ');
