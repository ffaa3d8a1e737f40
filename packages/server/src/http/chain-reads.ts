import type { ChainReader } from '@svc/verifier';
import type { ReaderFor } from '../chain/attestation-reader.ts';
import { RateLimited } from '../platform/failure.ts';
import { addressKey } from './address.ts';
import type { RateLimiter } from './rate-limits.ts';

/** Calls cost the operator money: limits them per address and in total. */
export interface ChainReads {
  /**
   * Counts all requests, or none.
   * @param calls number of requests that reach the chain
   * @throws RateLimited
   */
  take(address: string, requests: number, calls?: number): Promise<void>;
  /** Over the limit, the answer names the limit, because the etch has no fault. */
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
