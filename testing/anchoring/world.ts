import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Anchoring, AnchoringOptions } from '../../packages/server/src/anchoring/anchoring.ts';
import { createAnchoring } from '../../packages/server/src/anchoring/anchoring.ts';
import type { Rules } from '../../packages/server/src/anchoring/rules.ts';
import { startDevnet, type Devnet } from '../../packages/server/src/chain/devnet/devnet.ts';
import { openChainClient } from '../../packages/server/src/chain/client.ts';
import { createEasChain, type EasChainOptions } from '../../packages/server/src/chain/eas.ts';
import { callOnce } from '../../packages/server/src/chain/json-rpc.ts';
import type { Chain } from '../../packages/server/src/chain/port.ts';
import { createNonceHolder } from '../../packages/server/src/chain/nonce-holder.ts';
import type { Db } from '../../packages/server/src/db/db.ts';

interface LogEntry {
  level: 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}

/** A devnet with the real contracts, for one test file. */
export interface World {
  devnet: Devnet;
  rpc(method: string, ...params: unknown[]): Promise<unknown>;
  chain(options?: Partial<EasChainOptions>): Chain;
  /** Anchoring that takes no time between its looks. */
  anchoring(
    db: Db,
    options?: Partial<Omit<AnchoringOptions, 'rules'>> & { rules?: Partial<Rules> },
  ): Anchoring;
  log: LogEntry[];
  head(): Promise<number>;
  /** Waits until what is made from now on is younger than every block, as it is in life. */
  outliveBlocks(): Promise<void>;
}

export function useWorld(): World {
  const log: LogEntry[] = [];
  let devnet: Devnet | undefined;
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'svc-anchoring-'));
    const silent = { info() {}, warn() {} };
    devnet = await startDevnet({ dataDir, port: 0, historyStates: 100, log: silent });
  });
  afterAll(async () => {
    await devnet?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const note = (level: LogEntry['level']) => (fields: object, message: string) =>
    void log.push({ level, fields, message });
  const world: World = {
    get devnet() {
      return devnet!;
    },
    rpc: (method, ...params) =>
      callOnce(devnet!.rpcUrl, method, params, { timeoutMs: 20_000, maxBytes: 100_000_000 }),
    chain: (options = {}) =>
      createEasChain({
        name: 'devnet',
        rpc: openChainClient({ urls: [devnet!.rpcUrl] }).anchoring,
        relayerPrivateKey: devnet!.relayerPrivateKey,
        contract: devnet!.contract,
        schemaUid: devnet!.schemaUid,
        confirmations: 1,
        maxFeeGwei: 100,
        minesOnDemand: true,
        ...options,
      }),
    anchoring(db, { rules, chain = world.chain(), ...options } = {}) {
      return createAnchoring({
        db,
        chain,
        log: { info: note('info'), warn: note('warn'), error: note('error') },
        devnet: true,
        nonceHolder: createNonceHolder(openChainClient({ urls: [devnet!.rpcUrl] }).anchoring, chain.relayer),
        rules: { retrySeconds: 0, ...rules },
        ...options,
      });
    },
    log,
    head: async () => Number(await world.rpc('eth_blockNumber')),
    async outliveBlocks() {
      const { timestamp } = await world.chain().head();
      while (Date.now() < (timestamp + 1) * 1000) await sleep(50);
    },
  };
  return world;
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
