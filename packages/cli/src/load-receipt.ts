import { bounded } from './bounded-fetch.ts';
import { etchInPath, idOf, isName } from './find-named.ts';
import { parseJson, readInput, tooLarge } from './input-file.ts';
import { CommandError, EXIT, failError, inputError, parsed, usageError } from './exit.ts';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { parseReceipt, type Receipt, ReceiptError } from '@svc/protocol';
import { MAX_RECEIPT_BYTES } from '@svc/verifier';
import { ApiError } from '@svc/sdk';
import { clientWithoutKey, readErrorOf } from './service-requests.ts';

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

export async function loadReceipt(target: string, baseUrl: string, offline: boolean): Promise<Loaded> {
  if (target === '-' || existsSync(target)) return fromFile(target);
  const isNamedByUrl = /^https?:\/\//i.test(target);
  if (!isNamedByUrl && !isName(target))
    throw inputError(`${target} is neither a file nor the id, code or url of an etch`);
  if (offline) throw usageError('--offline requires a file: an id, code or url needs the network');
  if (isNamedByUrl) return fromUrl(target);
  const { origin } = new URL(baseUrl);
  return fromService(origin, await idOf('etch', target, origin));
}

export function refuseOtherEtch({ etch_id: id }: Receipt, named: string | null): void {
  if (named !== null && id !== named)
    throw failError(`FAIL: the service returned the receipt of etch ${id} for etch ${named}`);
}

const LIMITED = ', the limit for a receipt or evidence';
/** enough for an account with a hundred thousand etches */
const MOST_RECORD_BYTES = 512 * 1_048_576;

async function fromFile(path: string): Promise<Loaded> {
  const bytes =
    path === '-'
      ? await readPiped(process.stdin)
      : await readInput(path, (await isOfAccount(path)) ? MOST_RECORD_BYTES : MAX_RECEIPT_BYTES, LIMITED);
  const value = parseJson(bytes);
  if (value === undefined) throw inputError(`${path} is not JSON`);
  return { value, service: null, etchId: null };
}

/** A file with all entries of an account says so at its beginning. */
async function isOfAccount(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null);
  const begin = await file?.read(Buffer.alloc(100), 0, 100, 0).catch(() => null);
  await file?.close();
  return begin != null && /"svc-(?:record|omission):v1"/.test(begin.buffer.toString('latin1'));
}

/** Stops as soon as the input is larger than a receipt can be. */
export async function readPiped(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const bytes = await bounded(input, MAX_RECEIPT_BYTES);
  if (bytes === null) throw tooLarge('standard input', MAX_RECEIPT_BYTES, LIMITED);
  return bytes;
}

async function fromUrl(target: string): Promise<Loaded> {
  if (!URL.canParse(target)) throw usageError(`${target} is not a url`);
  const { origin, pathname, search } = new URL(target);
  const name = etchInPath(pathname);
  if (name !== undefined) return fromService(origin, await idOf('etch', name, origin));
  try {
    const value = await clientWithoutKey(origin).document(pathname + search);
    return { value, service: null, etchId: null };
  } catch (error) {
    throw readErrorOf(error, target);
  }
}

async function fromService(origin: string, id: string): Promise<Loaded> {
  try {
    const { value } = await clientWithoutKey(origin).call('getReceipt', { params: { id } });
    return { value, service: origin, etchId: id };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new NoSuchEtch(origin, id);
    throw readErrorOf(error, `${origin}/api/v1/etches/${id}/receipt`);
  }
}

export const readReceipt = (value: unknown): Receipt =>
  parsed(() => parseReceipt(value), ReceiptError, 'FAIL: not a valid receipt', EXIT.fail);
