import { readFile } from 'node:fs/promises';
import { textOfFile } from '@svc/verifier';
import { boundedBody } from '../bounded-body.ts';
import { CommandError, EXIT, failError, inputError } from '../exit.ts';
import { sha256 } from '../files/manifest-file.ts';
import { inTime } from '../in-time.ts';
import { fetchNamed, NotPublic } from '../public-fetch.ts';

const PATIENCE_MS = 30_000;
const MOST = 5 * 1024 * 1024;

export interface Document {
  bytes: Buffer;
  text: string;
  sha256: string;
}

export async function fetchDocument(url: string, service: string): Promise<Document> {
  const refuse = (status: number, why: string) =>
    new CommandError(status, `${url} ${why}; nothing was etched`);
  return inTime(PATIENCE_MS, async (signal) => {
    const response = await fetchNamed(url, service, { signal, headers: { accept: 'application/json' } });
    if (response.status >= 300 && response.status < 400)
      throw refuse(EXIT.fail, 'redirects; the rule names the document itself');
    if (!response.ok) throw refuse(EXIT.unavailable, `answers status ${response.status}`);
    const bytes = await boundedBody(response, MOST);
    if (bytes === null) throw refuse(EXIT.fail, `is larger than ${MOST} bytes`);
    return readDocument(bytes, url);
  }).catch((error: unknown) => {
    if (error instanceof NotPublic) throw refuse(EXIT.fail, error.message);
    throw error instanceof CommandError ? error : refuse(EXIT.unavailable, 'cannot be reached');
  });
}

export async function readKept(path: string): Promise<Document> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw inputError(`${path} cannot be read (${error.code})`);
  });
  return readDocument(bytes, path);
}

function readDocument(bytes: Buffer, name: string): Document {
  const text = jsonTextOf(bytes);
  if (text === null) throw failError(`${name} is not JSON; nothing was etched`);
  return { bytes, text, sha256: Buffer.from(sha256(bytes)).toString('hex') };
}

function jsonTextOf(bytes: Buffer): string | null {
  try {
    const text = textOfFile(bytes);
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}
