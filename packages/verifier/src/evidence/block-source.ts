import { call, checkUrls, EndpointFault, withTimeout } from '../json-rpc.ts';
import type { RpcOptions } from '../rpc-chain.ts';
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
export function rpcBlocks(
  chainId: number,
  { urls, timeoutMs = 10_000, fetch = globalThis.fetch }: RpcOptions,
): BlockSource {
  checkUrls(urls);
  return async ({ number, hash }): Promise<BlockAnswer> => {
    let reason = 'the endpoint cannot be reached';
    for (const url of urls) {
      try {
        const found = await withTimeout(timeoutMs, async (signal) => {
          const endpoint = { fetch, url, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
          const [chain, block] = await Promise.all([
            call(endpoint, signal, 'eth_chainId', []),
            call(endpoint, signal, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]),
          ]);
          if (Number(chain) !== chainId) throw new EndpointFault(`is of a different chain than ${chainId}`);
          return (block as { hash?: unknown } | null)?.hash;
        });
        if (typeof found === 'string' && /^0x[0-9a-f]{64}$/i.test(found))
          return { state: found.toLowerCase() === hash ? 'known' : 'another' };
        reason = 'the endpoint does not have that block';
      } catch (error) {
        reason = `the endpoint ${error instanceof EndpointFault ? error.message : 'cannot be reached'}`;
      }
    }
    return { state: 'unknown', reason };
  };
}

/** A block lists its transactions. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
