import { compareBytes } from '../tree.ts';
import { isWellFormedText, textToBytes } from '../text.ts';
import { ConventionError, refuseInvisible } from './plain-text.ts';

export const MAX_FILE_NAME_BYTES = 4096;

/**
 * Accepts plain relative paths with `/` that look the same to a person and a program
 * (docs/conventions.md#names-of-files).
 * @throws {ConventionError}
 * @example
 * checkFileName('plans/tide table.csv'); // undefined
 */
export function checkFileName(name: string): void {
  const refuse = (why: string): never => {
    throw new ConventionError(`the name ${JSON.stringify(name)} ${why}`);
  };
  if (!isWellFormedText(name)) refuse('is not a text in UTF-8');
  refuseInvisible(name, `the name ${JSON.stringify(name)}`);
  if (name.includes('\\')) refuse('contains a backslash: separate folders by /');
  if (name.startsWith('/') || /^[a-z]:/i.test(name))
    refuse('is absolute: name files from the folder they are in');
  if (name.split('/').includes('..')) refuse('leads out of its folder with ..');
  if (name.split('/').some((part) => part === '' || part === '.'))
    refuse('has an empty part, or one that is a dot');
  if (name === '-') refuse('means standard input in sha256sum');
  if (textToBytes(name).length > MAX_FILE_NAME_BYTES) refuse(`has more than ${MAX_FILE_NAME_BYTES} bytes`);
}

/**
 * Unicode NFC: macOS writes `é` as two characters.
 * @example
 * comparedName('e\u0301.txt') === comparedName('\u00e9.txt'); // true
 */
export const comparedName = (name: string): string => name.normalize('NFC');

/**
 * Compares in NFC.
 * @throws {ConventionError}
 * @example
 * checkDifferentNames(['a.txt', 'b.txt']); // undefined
 */
export function checkDifferentNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    const composed = comparedName(name);
    if (seen.has(composed)) throw new ConventionError(`two files have the name ${JSON.stringify(name)}`);
    seen.add(composed);
  }
}

/**
 * By UTF-8 bytes, as `LC_ALL=C sort`.
 * @example
 * ['b', 'a/c', 'a'].sort(compareFileNames); // ['a', 'a/c', 'b']
 */
export const compareFileNames = (a: string, b: string): number =>
  compareBytes(textToBytes(a), textToBytes(b));
