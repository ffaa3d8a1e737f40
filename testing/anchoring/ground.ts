import { beforeEach } from 'vitest';
import {
  type Anchoring,
  type AnchoringOptions,
  createAnchoring,
} from '../../packages/server/src/anchoring/anchoring.ts';
import type { Rules } from '../../packages/server/src/anchoring/rules.ts';
import { openChainClient } from '../../packages/server/src/chain/client.ts';
import { createNonceHolder } from '../../packages/server/src/chain/own-transaction.ts';
import type { Chain } from '../../packages/server/src/chain/port.ts';
import type { Db } from '../../packages/server/src/db/db.ts';
import { spendNonce } from '../chain/chain-faults.ts';
import { type TestDevnet, useDevnet } from '../chain/devnet.ts';
import type { Hex, TestNode } from '../chain/node.ts';
import { auditLedger, type LedgerOptions } from '../ledger/audit-ledger.ts';
import { drain } from './drive.ts';

interface LogEntry {
  level: 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}

type AnchoringChanges = Partial<Omit<AnchoringOptions, 'rules'>> & { rules?: Partial<Rules> };

interface AnchoringGround {
  readonly devnet: TestDevnet;
  anchoring(db: Db, options?: AnchoringChanges): Anchoring;
  /** Anchors everything that waits. */
  drain(db: Db, options?: AnchoringChanges): Promise<Anchoring>;
  /** Compares the ledger with the chain. */
  audit(db: Db, options?: LedgerOptions): Promise<{ attestations: number }>;
  /** The first transaction of this chain loses its nonce to another program. */
  robbed(): Chain;
  /** The node rejects every transaction. */
  unsent(): Chain;
  readonly log: LogEntry[];
}

/** @param perTest each test attests with its own key, as each has its own database */
export function useAnchoring({ perTest = false } = {}): AnchoringGround {
  const devnet = useDevnet();
  if (perTest) beforeEach(() => devnet.changeRelayer());
  const log: LogEntry[] = [];
  const note = (level: LogEntry['level']) => (fields: object, message: string) =>
    void log.push({ level, fields, message });
  const ground: AnchoringGround = {
    devnet,
    log,
    async drain(db, options) {
      const anchoring = ground.anchoring(db, options);
      await drain(anchoring, db);
      return anchoring;
    },
    audit: (db, options) => auditLedger(db, devnet, options),
    robbed: () => robbed(devnet.chain(), devnet, devnet.relayerPrivateKey),
    unsent: () => unsent(devnet.chain()),
    anchoring: (db, { rules, chain = devnet.chain(), ...options } = {}) =>
      createAnchoring({
        db,
        chain,
        log: { info: note('info'), warn: note('warn'), error: note('error') },
        devnet: true,
        // The same holder never waits for its own lease.
        holder: 'one',
        nonceHolder: createNonceHolder(openChainClient({ urls: [devnet.rpcUrl] }).anchoring, chain.relayer),
        rules: { retrySeconds: 0, ...rules },
        ...options,
      }),
  };
  return ground;
}

export function withChanges(chain: Chain, changes: Partial<Chain>): Chain {
  return { ...chain, ...changes };
}

export function robbed(chain: Chain, node: TestNode, key: Hex): Chain {
  let robbed = false;
  return withChanges(chain, {
    send: async (raw) => {
      if (!robbed) await spendNonce(node, key);
      robbed = true;
      return chain.send(raw);
    },
  });
}

export const unsent = (chain: Chain): Chain =>
  withChanges(chain, { send: async () => ({ outcome: 'rejected' as const }) });
