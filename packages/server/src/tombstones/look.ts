import type { Chain } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { matchSingles } from './match.ts';
import { searchTombstones } from './search.ts';
import { listUnmatched } from './store.ts';

export interface LookLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Withholds etches that the chain shows as retracted and the database lost. It runs before the first answer and
 * then regularly, because a standby may take over.
 * @throws ChainUnavailable
 */
export async function lookForTombstones(db: Db, chain: Chain, keyring: Keyring, log: LookLog): Promise<void> {
  if ((await searchTombstones(db, chain, 'new')) === 0) return;
  const etches = await matchSingles(db, keyring);
  if (etches > 0)
    log.warn(
      { etches },
      'the chain has tombstones of etches that this database had not retracted: they are withheld (svc-admin chain erase)',
    );
  const tombstones = (await listUnmatched(db)).length;
  if (tombstones > 0)
    log.error(
      { tombstones },
      'the chain has tombstones that match no known etch: find their leaves (svc-admin chain check --leaves)',
    );
}
