import type { pino } from 'pino';
import {
  type Anchoring,
  createAnchoring,
  ensureSameChain,
} from '../../packages/server/src/anchoring/index.ts';
import type { Rules } from '../../packages/server/src/anchoring/rules.ts';
import type { Chain } from '../../packages/server/src/chain/port.ts';
import { decryptHidden } from '../../packages/server/src/etches/hidden-fields.ts';
import type { Keyring } from '../../packages/server/src/platform/secrets/keyring.ts';
import type { TestDatabase } from '../database/test-database.ts';

export async function startAnchoring(
  db: TestDatabase,
  chain: Chain,
  keyring: Keyring,
  log: pino.Logger,
  witnesses: readonly string[],
  scheme: Rules['scheme'] = 'tree-v2',
): Promise<Anchoring> {
  await ensureSameChain(db, chain, { devnet: true });
  return createAnchoring({
    db,
    chain,
    log,
    devnet: true,
    witnesses,
    rules: { scheme },
    // The same holder never waits for its own lease.
    holder: 'the test',
    decryptHidden: (row) => {
      const { content, salt } = decryptHidden(keyring, row.id, row.sealed);
      return { content, salt: salt.toString('hex') };
    },
  });
}
