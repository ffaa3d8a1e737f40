import { readFileSync } from 'node:fs';
import type { Context } from './context.ts';
import { inputError, usageError } from './exit.ts';
import { textOfFile } from '@svc/verifier';

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
  const bytes = file === undefined || file === '-' ? await readAll(stdin) : readBytes(file);
  const text = decode(bytes);
  return exact ? text : withoutMarks(text);
}

export const withoutMarks = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');

async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

export const readTextFile = (path: string): string => decode(readBytes(path));

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw inputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw inputError('the text is not UTF-8');
  }
}

/** UTF-8, or UTF-16 with a byte order mark (PowerShell); undefined when malformed. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOfFile(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
