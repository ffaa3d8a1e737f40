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
import { type TestDevnet, useDevnet } from '../chain/devnet.ts';

interface LogEntry {
  level: 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}

interface AnchoringGround {
  readonly devnet: TestDevnet;
  anchoring(
    db: Db,
    options?: Partial<Omit<AnchoringOptions, 'rules'>> & { rules?: Partial<Rules> },
  ): Anchoring;
  readonly log: LogEntry[];
}

export function useAnchoring(): AnchoringGround {
  const devnet = useDevnet();
  const log: LogEntry[] = [];
  const note = (level: LogEntry['level']) => (fields: object, message: string) =>
    void log.push({ level, fields, message });
  return {
    devnet,
    log,
    anchoring: (db, { rules, chain = devnet.chain(), ...options } = {}) =>
      createAnchoring({
        db,
        chain,
        log: { info: note('info'), warn: note('warn'), error: note('error') },
        devnet: true,
        nonceHolder: createNonceHolder(openChainClient({ urls: [devnet.rpcUrl] }).anchoring, chain.relayer),
        rules: { retrySeconds: 0, ...rules },
        ...options,
      }),
  };
}

export function withChanges(chain: Chain, changes: Partial<Chain>): Chain {
  return { ...chain, ...changes };
}
