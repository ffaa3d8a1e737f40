import { call, rpcClient, type RpcOptions } from '../requests/client.ts';
import type { BlockAnswer, BlockSource } from './verify-evidence.ts';

/**
 * Any other block is `another`.
 * @throws {TypeError} without a hash, or on a malformed one
 * @example
 * const blocks = blockHashes([blockHash]);
 * await blocks({ number: 5, hash: blockHash }); // { state: 'known' }
 * await blocks({ number: 5, hash: `0x${'0'.repeat(64)}` }); // { state: 'another' }
 */
export function blockHashes(hashes: readonly string[]): BlockSource {
  const known = hashes.map((hash) => hash.toLowerCase());
  if (known.length === 0 || !known.every((hash) => /^0x[0-9a-f]{64}$/.test(hash)))
    throw new TypeError('a block hash is 0x and 64 hex digits');
  return ({ hash }) => Promise.resolve({ state: known.includes(hash) ? 'known' : 'another' });
}

/**
 * Knows no block, so the chain check waits.
 * @example
 * overall(await verifyEvidence(evidence, trust, noBlocks)); // 'wait'
 */
export const noBlocks: BlockSource = () =>
  Promise.resolve({ state: 'unknown', reason: 'no block hash was given, and no endpoint to ask for one' });

/**
 * A missing block proves nothing.
 * @throws {TypeError} without an endpoint, or on a malformed url
 * @example
 * const blocks = rpcBlocks(31337, { urls: ['http://127.0.0.1:9/'] });
 * await blocks({ number: 5, hash: blockHash }); // { state: 'unknown', reason: 'the endpoint cannot be reached' }
 */
export function rpcBlocks(chainId: number, options: RpcOptions): BlockSource {
  const firstAnswer = rpcClient(options, MAX_ANSWER_BYTES);
  return async ({ number, hash }): Promise<BlockAnswer> => {
    const { found, faults } = await firstAnswer(chainId, async (rpc) => {
      const block = await call(rpc, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
      const known = (block as { hash?: unknown } | null)?.hash;
      return typeof known === 'string' && /^0x[0-9a-fA-F]{64}$/.test(known) ? known.toLowerCase() : null;
    });
    if (found !== null) return { state: found === hash ? 'known' : 'another' };
    return {
      state: 'unknown',
      reason: `the endpoint ${faults.at(-1)?.message ?? 'does not have that block'}`,
    };
  };
}

/** A block lists its transactions. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
