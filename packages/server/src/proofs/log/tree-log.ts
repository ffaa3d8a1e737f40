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
import { certainSize, completeHashes, finalSize, logSize, subtreesOf } from './entries.ts';

/** docs/protocol.md#417-the-log-of-trees */
export interface TreeLog {
  origin: string;
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
 * Signs and stores a checkpoint, if the log has grown since the last one (docs/decisions/0027-a-restored-log.md).
 * @param options.isWitnessed false: only of final attestations, which a restored database reads from the chain
 * @param options.seen size of a checkpoint of this log that a witness cosigned
 * @returns the size of the last checkpoint; `isHeld`: it leaves out doubtful entries
 */
export async function publishCheckpoint(
  db: Db,
  log: TreeLog,
  { now, isWitnessed, seen }: { now: number; isWitnessed: boolean; seen: number },
): Promise<{ size: number; isHeld: boolean }> {
  const last = (await latestCheckpoint(db, log.origin))?.size ?? 0;
  const all = await logSize(db);
  if (all <= last) return { size: last, isHeld: false };
  const certain = await certainSize(db, Math.max(last, seen));
  const size = Math.min(certain, isWitnessed ? all : await finalSize(db));
  if (size <= last) return { size: last, isHeld: certain < all };
  await completeHashes(db, size);
  const root = await rootAt(size, subtreesOf(db));
  await storeCheckpoint(db, { origin: log.origin, size, note: log.sign(size, root), now: toTime(now) });
  return { size, isHeld: certain < all };
}
