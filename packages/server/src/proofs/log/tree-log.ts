import {
  type Checkpoint,
  checkpointText,
  LOG_KEY,
  parseCheckpoint,
  rootAt,
  signatureLine,
  verifierKey,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import { toTime } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { signingKey } from '../../platform/secrets/signing-key.ts';
import { type StoredCheckpoint, storeCheckpoint } from './checkpoints.ts';
import { certainSize, completeHashes, finalSize, hasDoubtful, subtreesOf, withFixedLog } from './entries.ts';
import type { LastSigned } from './last-signed.ts';

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

export interface Publication {
  latest: StoredCheckpoint | null;
  /** the longest checkpoint that this log is known to have signed */
  last: Checkpoint | null;
  now: number;
  /** false: only of final attestations, which a restored database reads from the chain */
  isWitnessed: boolean;
}

/** The number of entries that a checkpoint may contain (docs/decisions/0027-a-restored-log.md). */
export async function signableSize(
  db: Queryable,
  { latest, last, isWitnessed }: Omit<Publication, 'now'>,
): Promise<number> {
  const signed = latest?.size ?? 0;
  const certain = await certainSize(db, Math.max(signed, last?.size ?? 0));
  return isWitnessed ? certain : Math.min(certain, await finalSize(db, signed, { givenUp: true }));
}

/**
 * Signs and stores a checkpoint, if the log has grown since the latest one. The database has the note first, so that
 * no process on another machine signs another note of its size. Readers and witnesses get the note after the file has it.
 * @param indexed the size up to which the log has its index entries
 * @returns whether the latest checkpoint leaves out doubtful entries
 */
export async function publishCheckpoint(
  db: Db,
  log: TreeLog,
  lastSigned: LastSigned,
  of: Publication & { indexed: number },
): Promise<boolean> {
  const signed = of.latest?.size ?? 0;
  const signable = await signableSize(db, of);
  const size = Math.min(of.indexed, signable);
  if (size > signed) {
    const note = await withFixedLog(db, async (tx) => {
      // Another process removed a tree from the log since the first count.
      if ((await signableSize(tx, of)) < signable) return null;
      await completeHashes(tx, size);
      const text = log.sign(size, await rootAt(size, subtreesOf(tx)));
      await storeCheckpoint(tx, { origin: log.origin, size, note: text, now: toTime(of.now) });
      return text;
    });
    // A process with the same file may have written a longer checkpoint.
    if (note !== null && size > ((await lastSigned.read())?.size ?? 0))
      await lastSigned.write(parseCheckpoint(note));
  }
  return hasDoubtful(db, Math.max(signed, of.last?.size ?? 0));
}
