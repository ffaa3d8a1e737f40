import type { ChainReader } from '@svc/verifier';
import type { ReaderFor } from '../chain/cached-reader.ts';
import { RateLimited } from '../errors/failure.ts';
import { addressKey } from './address.ts';
import type { RateLimiter } from './rate-limits.ts';

/** Limits readers' calls to the chain, which cost the operator money: per address, and for all addresses together. */
export interface ChainReads {
  /**
   * Counts all requests of a call before they are sent, or none.
   * @param calls how many of the requests go to the chain
   * @throws RateLimited
   */
  take(address: string, requests: number, calls?: number): Promise<void>;
  /** Reads for verification. Over the limit the answer says so, because that is no fault of the etch. */
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
