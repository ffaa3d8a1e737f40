// Reads the log of trees of a service (docs/protocol.md#417-the-log-of-trees).
import { MAX_TREE_SIZE, packedWidth, textOfBytes } from '@svc/protocol';
import * as tlog from '@svc/protocol/tlog';
import { readBytes, withTimeout } from '../requests/bounded.ts';

/** The log cannot be read now, or its key did not sign the answer. */
export class LogUnread extends Error {
  override name = 'LogUnread';
}

/** `bytes` is null for more than the limit. */
interface LogAnswer {
  status: number;
  retryAfter: string | null;
  bytes: Uint8Array | null;
}

export interface LogReader {
  /** `<BASE_URL>/log` */
  url: string;
  /** @param path below `url` @throws {LogUnread} without an answer in time */
  get(path: string, most?: number): Promise<LogAnswer>;
}

const PATIENCE_MS = 30_000;
/** A tile of entries has 33,280 bytes. */
const MOST_BYTES = 100_000;
/** levels of hashes in one tile */
const TILE_HEIGHT = 8;
const LEAF_BYTES = packedWidth(2);

/**
 * Follows no redirect.
 * @param url `<BASE_URL>/log`
 * @example
 * logReader('http://127.0.0.1:3000/log').url; // 'http://127.0.0.1:3000/log'
 */
export const logReader = (
  url: string,
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
): LogReader => ({
  url,
  get: (path, most = MOST_BYTES) =>
    withTimeout(PATIENCE_MS, async (signal) => {
      const response = await fetch(`${url}/${path}`, { redirect: 'error', signal });
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, retryAfter, bytes: await readBytes(response, most) };
    }).catch(() => {
      throw new LogUnread(`the service is away: no answer from ${url}/${path}; try again later`);
    }),
});

/**
 * Null: the log has no checkpoint yet.
 * @throws {LogUnread} also when none of the keys signed it
 * @example
 * await readCheckpoint(emptyLog, []); // null
 */
export async function readCheckpoint(
  log: LogReader,
  keys: readonly tlog.VerifierKey[],
): Promise<(tlog.Checkpoint & { note: string }) | null> {
  const bytes = await readFrom(log, 'checkpoint');
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

/**
 * Unproven: the caller compares them with the root of a checkpoint.
 * @throws {LogUnread}
 * @example
 * (await readEntries(emptyLog, 0, 0).next()).done; // true
 */
export async function* readEntries(
  log: LogReader,
  from: number,
  size: number,
): AsyncGenerator<Uint8Array, void> {
  for (let at = from; at < size;) {
    const index = Math.floor(at / tlog.TILE_WIDTH);
    const first = index * tlog.TILE_WIDTH;
    const width = Math.min(tlog.TILE_WIDTH, size - first);
    const path = tlog.tilePath({ level: 'entries', index, width });
    const entries = unpack(await readFrom(log, `tile/${path}`));
    if (entries?.length !== width) throw new LogUnread(`its tile ${path} does not have ${width} entries`);
    yield* entries.slice(at - first);
    at = first + width;
  }
}

/** Before each entry is its length in two bytes. */
function unpack(bytes: Uint8Array | null): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  for (let at = 0; bytes !== null && at < bytes.length;) {
    const end = at + 2 + bytes[at]! * 256 + (bytes[at + 1] ?? Infinity);
    if (end > bytes.length) return null;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return bytes && entries;
}

/** Reads the subtrees of the first `size` entries, each tile once. Unproven: the caller folds them to a root. */
export function tileReader(log: LogReader, size: number): tlog.ReadSubtree {
  const tiles = new Map<string, Promise<Uint8Array[]>>();
  return async (height, index) => {
    const level = Math.floor(height / TILE_HEIGHT);
    const [count, first] = [2 ** (height % TILE_HEIGHT), index * 2 ** (height % TILE_HEIGHT)];
    const tile = Math.floor(first / tlog.TILE_WIDTH);
    const begin = tile * tlog.TILE_WIDTH;
    const width = Math.min(tlog.TILE_WIDTH, Math.floor(size / tlog.TILE_WIDTH ** level) - begin);
    const path = tlog.tilePath({ level, index: tile, width });
    const hashes = tiles.get(path) ?? readTile(log, path, width);
    tiles.set(path, hashes);
    return tlog.foldHashes((await hashes).slice(first - begin, first - begin + count));
  };
}

async function readTile(log: LogReader, path: string, width: number): Promise<Uint8Array[]> {
  const bytes = await readFrom(log, `tile/${path}`);
  if (bytes?.length !== 32 * width) throw new LogUnread(`its tile ${path} does not have ${width} hashes`);
  return Array.from({ length: width }, (_, at) => bytes.subarray(32 * at, 32 * at + 32));
}

/**
 * The packed leaves of a tree of version 2 (docs/protocol.md#26-packed-leaves). Null: the service does not have them.
 * @throws {LogUnread}
 */
export const readLeaves = (log: LogReader, logIndex: number): Promise<Uint8Array | null> =>
  readFrom(log, `leaves/${logIndex}`, MAX_TREE_SIZE * LEAF_BYTES);

/** Null: the log does not have it. @throws {LogUnread} */
export async function readFrom(log: LogReader, path: string, most?: number): Promise<Uint8Array | null> {
  const { status, bytes } = await log.get(path, most);
  if (status === 404) return null;
  if (status !== 200 || bytes === null)
    throw new LogUnread(`${log.url}/${path} answers status ${status}, or too much`);
  return bytes;
}
