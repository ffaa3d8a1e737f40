import { invisibleIn } from '../invisible-characters.ts';

export interface PlainText {
  kind: 'text';
  /** why the text does not follow the convention it names */
  reason: string | null;
}

/** docs/conventions.md#words-that-begin-so */
export class ConventionError extends Error {
  override name = 'ConventionError';
}

export interface FirstLine {
  /** a CR belongs to the end only before the LF */
  line: string;
  end: '\r\n' | '\n' | '';
  rest: string;
}

export function firstLine(content: string): FirstLine {
  const at = content.indexOf('\n');
  if (at === -1) return { line: content, end: '', rest: '' };
  const end = content[at - 1] === '\r' ? '\r\n' : '\n';
  return { line: content.slice(0, at + 1 - end.length), end, rest: content.slice(at + 1) };
}

/** Other white space is part of the text. */
export const withoutSpaces = (text: string): string => text.replace(/^ +| +$/g, '');

/** They act on a screen or change the reading order. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

/** @throws {ConventionError} on a control or bidirectional character */
export function refuseControls(text: string, what: string): void {
  const [control] = CONTROL.exec(text) ?? [];
  if (control !== undefined) throw invisibleError(what, control.codePointAt(0)!);
}

/** @throws {ConventionError} on an invisible character that changes no visible one */
export function refuseInvisible(text: string, what: string): void {
  refuseControls(text, what);
  for (const { codePoint } of invisibleIn(text)) throw invisibleError(what, codePoint);
}

function invisibleError(what: string, codePoint: number): ConventionError {
  const number = codePoint.toString(16).toUpperCase().padStart(4, '0');
  return new ConventionError(
    `${what} contains U+${number}: an invisible or control character, or one that changes the reading order`,
  );
}

/**
 * The parts after the tag.
 * @throws {ConventionError} on a different tag
 */
export function partsBehind(tag: string, line: string): string[] {
  refuseControls(line, 'the first line');
  const [found, ...parts] = line.split(' ').filter((part) => part !== '');
  if (found !== tag) throw new ConventionError(`the first line does not begin with ${tag} and a space`);
  return parts;
}

/** A `ConventionError` becomes the reason of a text. */
export function orText<Value extends object>(read: () => Value): Value | PlainText {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConventionError) return { kind: 'text', reason: error.message };
    throw error;
  }
}

/** @throws {ConventionError} when the words cannot be parsed */
export function checkedWords(parse: (words: string) => unknown, line: string, note = ''): string {
  const words = note === '' ? line : `${line}\n${note}`;
  parse(words);
  return words;
}
