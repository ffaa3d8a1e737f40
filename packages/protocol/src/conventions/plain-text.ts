import { unseenIn } from '../unseen.ts';

/** Words that follow no convention. They are as good as any: whoever ignores conventions sees a text too. */
export interface PlainText {
  kind: 'text';
  /** why they are none, where they begin as if they were; else null */
  reason: string | null;
}

/** Why words, a name or a file are not of a convention (docs/conventions.md#words-that-begin-so). */
export class ConventionError extends Error {
  override name = 'ConventionError';
}

/** The first line, which holds the convention, its end, and the free text below it. */
export interface FirstLine {
  /** without its end: a CR belongs to the end only directly before the LF */
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

/** What acts on a screen, or turns the order of what is read. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

/** @throws {ConventionError} on a control character, or a bidirectional one */
export function refuseControls(text: string, what: string): void {
  const [control] = CONTROL.exec(text) ?? [];
  if (control !== undefined) throw unseen(what, control.codePointAt(0)!);
}

/** @throws {ConventionError} on any character that is not seen and changes nothing that is */
export function refuseUnseen(text: string, what: string): void {
  refuseControls(text, what);
  for (const { codePoint } of unseenIn(text)) throw unseen(what, codePoint);
}

function unseen(what: string, codePoint: number): ConventionError {
  const number = codePoint.toString(16).toUpperCase().padStart(4, '0');
  return new ConventionError(
    `${what} holds U+${number}: a control character, or another one that is not seen or turns the order of what is read`,
  );
}

/** The parts of a first line behind its tag. @throws {ConventionError} on a tag of another version */
export function partsBehind(tag: string, line: string): string[] {
  refuseControls(line, 'the first line');
  const [found, ...parts] = line.split(' ').filter((part) => part !== '');
  if (found !== tag) throw new ConventionError(`the first line does not begin with ${tag} and a space`);
  return parts;
}

/** What a reader of words gives back, or why they are a text. */
export function orText<Value extends object>(read: () => Value): Value | PlainText {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConventionError) return { kind: 'text', reason: error.message };
    throw error;
  }
}
