import { ChainUnavailable } from '../../chain/port.ts';
import type { NonceHolder, Work } from '../work.ts';

/** Who holds a nonce; a node that cannot say holds nothing else up. */
export async function holderOf(work: Work, nonce: number): ReturnType<NonceHolder> {
  try {
    return (await work.nonceHolder?.(nonce)) ?? null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
