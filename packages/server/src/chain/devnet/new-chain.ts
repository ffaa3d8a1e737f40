import { type Anvil, orKill, runAnvil } from './anvil.ts';
import {
  anvilArguments,
  type Call,
  devnetCall,
  ensureContracts,
  type Genesis,
  genesisArguments,
  startMining,
} from './chain-setup.ts';
import type { DevnetFiles } from './files.ts';
import type { Hex } from '../port.ts';

export interface NewChainOptions {
  historyStates: number;
  genesis: Genesis;
  relayerKey: Hex;
  begin?: (call: Call) => Promise<void>;
}

export async function startNewChain(
  files: DevnetFiles,
  port: number,
  { historyStates, genesis, relayerKey, begin = startMining }: NewChainOptions,
): Promise<{ anvil: Anvil; call: Call }> {
  const anvil = await runAnvil(files, port, [...anvilArguments(historyStates), ...genesisArguments(genesis)]);
  return orKill(anvil, async () => {
    const call = devnetCall(port);
    await begin(call);
    if (!(await ensureContracts(call, relayerKey)))
      throw new Error('the attestation contracts cannot be deployed');
    return { anvil, call };
  });
}
