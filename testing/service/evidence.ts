import { blockHashes, type Evidence, provenBlocks, verifyEvidence } from '@svc/verifier/evidence';
import type { Json } from '../json.ts';
import { amongOthers } from '../chain/among-others.ts';
import { rpc } from '../chain/json-rpc.ts';
import type { TestService } from './service.ts';

/** Trusts the service's key, contract and blocks, unless a reader of blocks is given. */
export function checkEvidence(
  { chain }: TestService,
  file: Evidence,
  blocks = blockHashes(blocksOf(chain, file)),
) {
  const { contract, schemaUid, relayer } = chain;
  return verifyEvidence(file, { chainId: 31_337, contract, schemaUid, relayers: [relayer] }, blocks);
}
const blocksOf = ({ contract }: TestService['chain'], file: Evidence) =>
  provenBlocks(file, contract).map(({ hash }) => hash);

export async function anchorAmong(service: TestService, others: number): Promise<void> {
  const call = (method: string, ...params: unknown[]) => rpc(service.devnet.rpcUrl, method, ...params);
  const { chain } = service;
  const mine = chain.mineEmptyBlock?.bind(chain);
  let release!: () => void;
  const made = new Promise<void>((resolve) => (release = resolve));
  // The block waits for all transactions.
  chain.mineEmptyBlock = async () => {
    if (Number((await call('txpool_status')).pending) > 0) await made;
    else await mine?.();
  };
  const watched = async (method: string, ...params: unknown[]): Promise<Json> => {
    const answer = await call(method, ...params);
    if (method === 'evm_mine') release();
    return answer;
  };
  try {
    await amongOthers(watched, others, () => service.anchor());
  } finally {
    release();
    if (mine) chain.mineEmptyBlock = mine;
  }
}
