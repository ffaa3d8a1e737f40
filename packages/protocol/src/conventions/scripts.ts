/** UAX #31, table 5. All others count as one script. */
const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
];
const OTHER = 'another script';
const PATTERNS = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script_Extensions=${name}}`, 'u')] as const);
const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** Scripts that may mix: UTS #39, "highly restrictive". */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/**
 * The scripts of a name that mixes scripts unusually, because it may imitate another name.
 * @example
 * mixedScripts('p\u0430ris'); // ['Cyrillic', 'Latin']
 * mixedScripts('Zürich-2'); // []
 */
export function mixedScripts(name: string): string[] {
  const letters = [...name].map(scriptsOf).filter((scripts) => scripts !== null);
  const found = [...new Set(letters.flat())].sort();
  const sets = [...found.map((one) => [one]), ...TOGETHER];
  const isOne = sets.some((set) => letters.every((scripts) => scripts.some((one) => set.includes(one))));
  return isOne || letters.length === 0 ? [] : found;
}

/** Null for digits, signs and marks. */
function scriptsOf(character: string): string[] | null {
  const scripts = PATTERNS.flatMap(([name, pattern]) => (pattern.test(character) ? [name] : []));
  if (scripts.length > 0) return scripts;
  return SHARED.test(character) ? null : [OTHER];
}

/**
 * Null when no name mixes scripts (docs/conventions.md#forecasts).
 * @example
 * scriptsWarning(['yes', 'no']); // null
 */
export function scriptsWarning(names: readonly string[]): string | null {
  const mixed = names
    .map((name) => ({ name, scripts: mixedScripts(name) }))
    .filter(({ scripts }) => scripts.length > 0);
  if (mixed.length === 0) return null;
  return mixed
    .map(({ name, scripts }) => `the outcome ${name} mixes letters of ${scripts.join(' and ')}`)
    .join('; ');
}
