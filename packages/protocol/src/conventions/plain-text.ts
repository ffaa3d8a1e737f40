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

/** The first line, on which every convention stands, and what is free below it. */
export function firstLine(content: string): { line: string; rest: string } {
  const end = content.indexOf('\n');
  return end === -1
    ? { line: content, rest: '' }
    : { line: content.slice(0, end), rest: content.slice(end + 1) };
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
  const clean = line.replace(/\r$/, '');
  refuseControls(clean, 'the first line');
  const [found, ...parts] = clean.split(' ').filter((part) => part !== '');
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
