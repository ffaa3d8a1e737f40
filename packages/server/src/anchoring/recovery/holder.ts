import { ChainUnavailable } from '../../chain/port.ts';
import type { NonceHolder, Work } from '../work.ts';

export async function holderOf(work: Work, nonce: number): ReturnType<NonceHolder> {
  try {
    return (await work.nonceHolder?.(nonce)) ?? null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
