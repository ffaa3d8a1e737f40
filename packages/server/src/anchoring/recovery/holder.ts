import { ChainUnavailable } from '../../chain/port.ts';
import type { NonceHolder, Work } from '../work.ts';

/** The transaction that has a nonce; null if the node cannot say, so that other work continues. */
export async function holderOf(work: Work, nonce: number): ReturnType<NonceHolder> {
  try {
    return (await work.nonceHolder?.(nonce)) ?? null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
