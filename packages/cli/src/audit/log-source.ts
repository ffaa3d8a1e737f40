import { textOfBytes } from '@svc/protocol';
import * as tlog from '@svc/protocol/tlog';
import { fetchBounded } from '../bounded-fetch.ts';

/** The log cannot be read now, or its key did not sign the answer. */
export class LogUnread extends Error {
  override name = 'LogUnread';
}

const PATIENCE_MS = 30_000;
/** A tile of entries has 33,280 bytes. */
const MOST_BYTES = 100_000;

export async function readCheckpoint(
  service: string,
  keys: readonly tlog.VerifierKey[],
): Promise<(tlog.Checkpoint & { note: string }) | null> {
  const bytes = await get(service, 'checkpoint');
  if (bytes === null) return null;
  try {
    const note = textOfBytes(bytes) ?? '';
    const checkpoint = tlog.parseCheckpoint(note);
    const own = keys.filter(({ name }) => name === checkpoint.origin);
    if (tlog.isSignedBy(checkpoint, own)) return { ...checkpoint, note };
  } catch (error) {
    if (!(error instanceof tlog.TlogError)) throw error;
  }
  throw new LogUnread('its checkpoint is not signed by the pinned key of the log');
}

export async function* readEntries(
  service: string,
  from: number,
  size: number,
): AsyncGenerator<Uint8Array, void> {
  for (let at = from; at < size;) {
    const index = Math.floor(at / tlog.TILE_WIDTH);
    const first = index * tlog.TILE_WIDTH;
    const width = Math.min(tlog.TILE_WIDTH, size - first);
    const path = tlog.tilePath({ level: 'entries', index, width });
    const entries = unpack(await get(service, `tile/${path}`));
    if (entries?.length !== width) throw new LogUnread(`its tile ${path} does not have ${width} entries`);
    yield* entries.slice(at - first);
    at = first + width;
  }
}

/** Before each entry is its length in two bytes. */
function unpack(bytes: Buffer | null): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  for (let at = 0; bytes !== null && at < bytes.length;) {
    const end = at + 2 + (at + 2 > bytes.length ? Infinity : bytes.readUInt16BE(at));
    if (end > bytes.length) return null;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return bytes && entries;
}

async function get(service: string, path: string): Promise<Buffer | null> {
  const url = `${service}/log/${path}`;
  const answer = await fetchBounded(url, MOST_BYTES, PATIENCE_MS).catch(() => null);
  if (answer === null) throw new LogUnread(`the service is away: no answer from ${url}`);
  const { status, bytes } = answer;
  if (status === 404) return null;
  if (status !== 200 || bytes === null) throw new LogUnread(`${url} answers status ${status}, or too much`);
  return bytes;
}
