import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { parseWholeReceipt, type Receipt, ReceiptError } from '@svc/protocol';
import { MAX_RECEIPT_BYTES } from '@svc/verifier';
import { CommandError, EXIT, failError, inputError, usageError } from './exit.ts';
import { parseJson } from './input-file.ts';
import { ApiError } from '@svc/sdk';
import { strangerAt, unreadable } from './ask-service.ts';

interface Loaded {
  value: unknown;
  service: string | null;
  /** null if the target is no etch of a service */
  etchId: string | null;
}

export class NoSuchEtch extends CommandError {
  override name = 'NoSuchEtch';
  readonly origin: string;
  constructor(origin: string, id: string) {
    super(EXIT.input, `${origin} has no etch ${id}`);
    this.origin = origin;
  }
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ID = new RegExp(`^${UUID}$`, 'i');
const CODE = /^[2-9a-hjkmnp-z]{6}$/i;
const ETCH_PATH = new RegExp(`^/(?:e|api/v1/etches|api/v1/verify)/(${UUID})(?=[/.]|$)`, 'i');
const CODE_PATH = /^\/e\/([2-9a-hjkmnp-z]{6})(?=[/.]|$)/i;

export async function loadReceipt(target: string, baseUrl: string, offline: boolean): Promise<Loaded> {
  if (target === '-' || existsSync(target)) return fromFile(target);
  const isUrl = /^https?:\/\//i.test(target);
  if (!isUrl && !ID.test(target) && !CODE.test(target))
    throw inputError(`${target} is neither a file nor the id, code or url of an etch`);
  if (offline) throw usageError('--offline requires a file: an id, code or url needs the network');
  if (isUrl) return fromUrl(target);
  const { origin } = new URL(baseUrl);
  return ID.test(target) ? fromService(origin, target) : fromUrl(`${origin}/e/${target}`);
}

export async function findEtchId(target: string, origin: string): Promise<string> {
  if (ID.test(target)) return target.toLowerCase();
  if (CODE.test(target)) return resolveCode(origin, target);
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target))
    throw usageError(`${target} is neither the id, the code nor the url of an etch`);
  const url = new URL(target);
  if (url.origin !== origin)
    throw usageError(
      `${target} is at ${url.origin}, but this command uses ${origin}; name the other service with --base-url`,
    );
  const id = ETCH_PATH.exec(url.pathname)?.[1];
  if (id !== undefined) return id.toLowerCase();
  const code = CODE_PATH.exec(url.pathname)?.[1];
  if (code !== undefined) return resolveCode(origin, code);
  throw usageError(`${target} is not the url of an etch`);
}

export function refuseOtherEtch({ etch_id: id }: Receipt, named: string | null): void {
  if (named !== null && id !== named)
    throw failError(`FAIL: the service returned the receipt of etch ${id} for etch ${named}`);
}

async function fromFile(path: string): Promise<Loaded> {
  const bytes = path === '-' ? await readInput(process.stdin) : await readBounded(path);
  const value = parseJson(bytes);
  if (value === undefined) throw inputError(`${path} is not JSON`);
  return { value, service: null, etchId: null };
}

async function readBounded(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MAX_RECEIPT_BYTES) throw tooLarge(path);
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw inputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const tooLarge = (what: string): CommandError =>
  inputError(`${what} is larger than ${MAX_RECEIPT_BYTES} bytes, the limit for a receipt or evidence`);

/** Stops as soon as the input is larger than a receipt can be. */
export async function readInput(input: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MAX_RECEIPT_BYTES) throw tooLarge('standard input');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

async function fromUrl(target: string): Promise<Loaded> {
  if (!URL.canParse(target)) throw usageError(`${target} is not a url`);
  const { origin, pathname, search } = new URL(target);
  const id = ETCH_PATH.exec(pathname)?.[1];
  if (id !== undefined) return fromService(origin, id);
  const code = CODE_PATH.exec(pathname)?.[1];
  if (code !== undefined) return fromService(origin, await resolveCode(origin, code));
  try {
    const value = await strangerAt(origin).document(pathname + search);
    return { value, service: null, etchId: null };
  } catch (error) {
    throw unreadable(error, target);
  }
}

async function fromService(origin: string, named: string): Promise<Loaded> {
  const id = named.toLowerCase();
  try {
    const { value } = await strangerAt(origin).call('getReceipt', { params: { id } });
    return { value, service: origin, etchId: id };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new NoSuchEtch(origin, id);
    throw unreadable(error, `${origin}/api/v1/etches/${id}/receipt`);
  }
}

async function resolveCode(origin: string, code: string): Promise<string> {
  try {
    return (await strangerAt(origin).findByCode(code)).id;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw inputError(`${origin} has no etch with code ${code}`);
    throw unreadable(error, `${origin}/e/${code}`);
  }
}

export function readReceipt(value: unknown): Receipt {
  try {
    return parseWholeReceipt(value);
  } catch (error) {
    if (error instanceof ReceiptError) throw failError(`FAIL: not a valid receipt: ${error.message}`);
    throw error;
  }
}
