// Reads the log of trees of a service (docs/protocol.md#417-the-log-of-trees).
import { MAX_TREE_SIZE, packedWidth, textOfBytes } from '@svc/protocol';
import * as tlog from '@svc/protocol/tlog';
import { fetchBounded } from '../bounded-fetch.ts';

/** The log cannot be read now, or its key did not sign the answer. */
export class LogUnread extends Error {
  override name = 'LogUnread';
}

const PATIENCE_MS = 30_000;
/** A tile of entries has 33,280 bytes. */
const MOST_BYTES = 100_000;
/** of a tile */
const TILE_HEIGHT = 8;
const LEAF_BYTES = packedWidth(2);

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

/** Unproven: the caller compares them with the root of a checkpoint. */
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

/**
 * Reads the subtrees of the first `size` entries, each tile once. Unproven: the caller folds them to a root.
 */
export function tileReader(service: string, size: number): tlog.ReadSubtree {
  const tiles = new Map<string, Promise<Uint8Array[]>>();
  return async (height, index) => {
    const level = Math.floor(height / TILE_HEIGHT);
    const [count, first] = [2 ** (height % TILE_HEIGHT), index * 2 ** (height % TILE_HEIGHT)];
    const tile = Math.floor(first / tlog.TILE_WIDTH);
    const begin = tile * tlog.TILE_WIDTH;
    const width = Math.min(tlog.TILE_WIDTH, Math.floor(size / tlog.TILE_WIDTH ** level) - begin);
    const path = tlog.tilePath({ level, index: tile, width });
    const hashes = tiles.get(path) ?? readTile(service, path, width);
    tiles.set(path, hashes);
    return tlog.foldHashes((await hashes).slice(first - begin, first - begin + count));
  };
}

async function readTile(service: string, path: string, width: number): Promise<Uint8Array[]> {
  const bytes = await get(service, `tile/${path}`);
  if (bytes?.length !== 32 * width) throw new LogUnread(`its tile ${path} does not have ${width} hashes`);
  return Array.from({ length: width }, (_, at) => bytes.subarray(32 * at, 32 * at + 32));
}

/** Null: the service does not have them. */
export const readLeaves = (service: string, logIndex: number): Promise<Buffer | null> =>
  get(service, `leaves/${logIndex}`, MAX_TREE_SIZE * LEAF_BYTES);

async function get(service: string, path: string, most = MOST_BYTES): Promise<Buffer | null> {
  const url = `${service}/log/${path}`;
  const answer = await fetchBounded(url, most, PATIENCE_MS).catch(() => null);
  if (answer === null) throw new LogUnread(`the service is away: no answer from ${url}`);
  const { status, bytes } = answer;
  if (status === 404) return null;
  if (status !== 200 || bytes === null) throw new LogUnread(`${url} answers status ${status}, or too much`);
  return bytes;
}
