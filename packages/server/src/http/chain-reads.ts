import type { ChainReader } from '@svc/verifier';
import type { ReaderFor } from '../chain/cached-reader.ts';
import { RateLimited } from '../errors/failure.ts';
import { addressKey } from './address.ts';
import type { RateLimiter } from './rate-limits.ts';

/** What readers may ask the chain, which costs its operator: so much for each address, and so much for all of them. */
export interface ChainReads {
  /**
   * Counts what an address asks before it is asked: all of it, or nothing.
   * @param calls how many of its requests go to the chain
   * @throws RateLimited
   */
  take(address: string, requests: number, calls?: number): Promise<void>;
  /** Reads for verification; beyond the limits it answers why it did not, for that is no fault of the etch. */
  readerFor(address: string): ChainReader;
}

export interface ChainReadsOptions {
  reader: ReaderFor;
  perAddress: RateLimiter;
  together: RateLimiter;
}

export function createChainReads({ reader, perAddress, together }: ChainReadsOptions): ChainReads {
  async function take(address: string, requests: number, calls = requests): Promise<void> {
    const who = addressKey(address);
    await perAddress.take(who, requests);
    if (calls === 0) return;
    try {
      await together.take('everybody', calls);
    } catch (error) {
      await perAddress.giveBack(who, requests);
      throw error;
    }
  }
  return {
    take,
    readerFor: (address) =>
      reader(async () => {
        try {
          await take(address, 1);
          return undefined;
        } catch (error) {
          if (error instanceof RateLimited) return error.message;
          throw error;
        }
      }),
  };
}
