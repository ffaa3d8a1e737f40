import { callOnce } from '../../packages/server/src/chain/json-rpc.ts';
import { amongOthers } from '../chain/among-others.ts';
import type { TestService } from './service.ts';

export async function anchorAmong(service: TestService, others: number): Promise<void> {
  const rpc = (method: string, ...params: unknown[]): Promise<any> =>
    callOnce(service.devnet.rpcUrl, method, params, { timeoutMs: 60_000, maxBytes: 1_000_000 });
  const { chain } = service;
  const mine = chain.mineEmptyBlock?.bind(chain);
  let release!: () => void;
  const made = new Promise<void>((resolve) => (release = resolve));
  // The block waits for all transactions.
  chain.mineEmptyBlock = async () => {
    if (Number((await rpc('txpool_status')).pending) > 0) await made;
    else await mine?.();
  };
  const watched = async (method: string, ...params: unknown[]): Promise<any> => {
    const answer: unknown = await rpc(method, ...params);
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
