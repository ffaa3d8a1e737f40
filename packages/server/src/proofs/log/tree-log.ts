import {
  checkpointText,
  LOG_KEY,
  rootAt,
  signatureLine,
  verifierKey,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import { toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { signingKey } from '../../platform/secrets/signing-key.ts';
import { latestCheckpoint, storeCheckpoint } from './checkpoints.ts';
import { completeHashes, finalSize, logSize, subtreesOf } from './entries.ts';

/** docs/protocol.md#417-the-log-of-trees */
export interface TreeLog {
  /** `<host>/log` */
  origin: string;
  /** verifier keys, the current one first */
  keys: readonly string[];
  sign(size: number, root: Uint8Array): string;
}

export const logOrigin = (baseUrl: string): string => `${new URL(baseUrl).host}/log`;

/**
 * Each of SECRET_KEYS gives a key. All sign, so that readers and witnesses with an earlier key follow a rotation.
 */
export function createTreeLog(keyring: Keyring, baseUrl: string): TreeLog {
  const origin = logOrigin(baseUrl);
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
 * Signs and stores a checkpoint, if the log has grown since the last one.
 * @param isWitnessed false: sign final attestations only. A restored database reads these from the chain before it
 * folds. It may have lost other trees, and a different tree in their place would be a fork.
 * @returns the size of the last checkpoint
 */
export async function publishCheckpoint(
  db: Db,
  log: TreeLog,
  { now, isWitnessed }: { now: number; isWitnessed: boolean },
): Promise<number> {
  const last = (await latestCheckpoint(db, log.origin))?.size ?? 0;
  if ((await logSize(db)) <= last) return last;
  const size = isWitnessed ? await logSize(db) : await finalSize(db);
  if (size <= last) return last;
  await completeHashes(db, size);
  const root = await rootAt(size, subtreesOf(db));
  await storeCheckpoint(db, { origin: log.origin, size, note: log.sign(size, root), now: toTime(now) });
  return size;
}
