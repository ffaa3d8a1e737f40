import {
  checkpointText,
  LOG_KEY,
  rootAt,
  signatureLine,
  verifierKey,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import { toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { signingKey } from '../secrets/signing-key.ts';
import { latestCheckpoint, storeCheckpoint } from './checkpoints.ts';
import { completeHashes, logSize, subtreesOf } from './entries.ts';

/** The name and keys of the log of trees (docs/protocol.md#417-the-log-of-trees). */
export interface TreeLog {
  /** `<host>/log` */
  origin: string;
  /** verifier keys, the current one first */
  keys: readonly string[];
  /** a signed checkpoint without cosignatures */
  sign(size: number, root: Uint8Array): string;
}

/** Each of SECRET_KEYS gives a key. All sign, so that readers and witnesses of an earlier key follow a rotation. */
export function createTreeLog(keyring: Keyring, baseUrl: string): TreeLog {
  const origin = `${new URL(baseUrl).host}/log`;
  const keys = keyring.secrets('tree-log').map(signingKey);
  return {
    origin,
    keys: keys.map(({ publicKey }) => writeVerifierKey(origin, LOG_KEY, publicKey)),
    sign(size, root) {
      const text = checkpointText({ origin, size, root });
      const lines = keys.map((key) =>
        signatureLine(verifierKey(origin, LOG_KEY, key.publicKey), key.sign(text)),
      );
      return `${text}\n${lines.join('\n')}\n`;
    },
  };
}

/**
 * Signs and stores a checkpoint of the log as it is, if it has grown since the last one.
 * @returns the size of the last checkpoint
 */
export async function publishCheckpoint(db: Db, log: TreeLog, now: number): Promise<number> {
  const [size, last] = [await logSize(db), await latestCheckpoint(db, log.origin)];
  if (size === (last?.size ?? 0)) return size;
  await completeHashes(db, size);
  const root = await rootAt(size, subtreesOf(db));
  await storeCheckpoint(db, { origin: log.origin, size, note: log.sign(size, root), now: toTime(now) });
  return size;
}
