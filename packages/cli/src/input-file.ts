import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { textOfFile } from '@svc/verifier';
import type { Context } from './context.ts';
import { CommandError, inputError, reworded, usageError } from './exit.ts';

/**
 * @param most in bytes
 * @param limited ends the message about the limit
 */
export async function readInput(path: string, most = Infinity, limited = ''): Promise<Buffer> {
  try {
    if (most < Infinity && (await stat(path)).size > most) throw tooLarge(path, most, limited);
    return await readFile(path);
  } catch (error) {
    throw cannotRead(path, error);
  }
}

export const tooLarge = (name: string, most: number, limited: string): CommandError =>
  inputError(`${name} is larger than ${most} bytes${limited}`);

export const cannotRead = (path: string, error: unknown, help = ''): CommandError =>
  error instanceof CommandError
    ? error
    : inputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})${help}`);

export async function readJsonFile(path: string, most?: number, limited?: string): Promise<unknown> {
  const value = parseJson(await readInput(path, most, limited));
  if (value === undefined) throw inputError(`${path} is not JSON`);
  return value;
}

/** UTF-8, or UTF-16 with a byte order mark (PowerShell); undefined when malformed. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOfFile(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Without `exact`, removes a byte order mark and one line end: editors and `echo` add them, and the hash covers
 * every byte.
 */
export async function readText(
  argument: string | undefined,
  { file, exact }: { file?: string; exact: boolean },
  { stdin }: Context,
): Promise<string> {
  if (argument !== undefined && argument !== '-') {
    if (file !== undefined) throw usageError('give the text or --file, not both');
    return argument;
  }
  if (file === undefined && argument === undefined && stdin.isTTY)
    throw usageError('give a text, --file, or pipe it in: echo "…" | svc etch');
  const text = file === undefined || file === '-' ? decode(await buffer(stdin)) : await readTextFile(file);
  return exact ? text : withoutMarks(text);
}

export const withoutMarks = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');

export const readTextFile = async (path: string): Promise<string> => decode(await readInput(path));

/** @param refusal when the bytes are not UTF-8 */
export const decode = (bytes: Uint8Array, refusal = 'the text is not UTF-8'): string =>
  reworded(
    () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    TypeError,
    () => inputError(refusal),
  );
