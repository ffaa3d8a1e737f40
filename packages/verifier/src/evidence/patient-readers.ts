import type { ChainReader } from '../chain-reader.ts';
import type { RpcOptions } from '../json-rpc.ts';
import { rpcChain } from '../rpc-chain.ts';
import { rpcBlocks } from './block-source.ts';
import type { BlockSource } from './verify-evidence.ts';

export interface PatientRpcOptions extends RpcOptions {
  /** the endpoint may be starting */
  patienceMs: number;
}

/**
 * `rpcChain` that retries while an endpoint refuses connections, which only Node.js reports.
 * @throws {TypeError} without an endpoint, or on a malformed url
 * @example
 * const chain = patientRpcChain({ urls: ['http://127.0.0.1:9/'], patienceMs: 5_000 });
 * (await chain.attestation(trust.contract, `0x${'0'.repeat(64)}`, trust.chainId)).kind; // 'unreachable'
 */
export function patientRpcChain(options: PatientRpcOptions): ChainReader {
  const { fetch, whileRefused } = refusalsOf(options);
  const reader = rpcChain({ ...options, fetch });
  return {
    attestation: (contract, uid, chainId) =>
      whileRefused(
        () => reader.attestation(contract, uid, chainId),
        ({ kind }) => kind === 'unreachable',
      ),
  };
}

/**
 * As `patientRpcChain`.
 * @throws {TypeError} without an endpoint, or on a malformed url
 * @example
 * const blocks = patientRpcBlocks(31337, { urls: ['http://127.0.0.1:9/'], patienceMs: 5_000 });
 * await blocks({ number: 5, hash: blockHash }); // { state: 'unknown', reason: 'the endpoint cannot be reached' }
 */
export function patientRpcBlocks(chainId: number, options: PatientRpcOptions): BlockSource {
  const { fetch, whileRefused } = refusalsOf(options);
  const ask = rpcBlocks(chainId, { ...options, fetch });
  return (block) =>
    whileRefused(
      () => ask(block),
      ({ state }) => state === 'unknown',
    );
}

const PAUSE_MS = 200;

function refusalsOf({ fetch = globalThis.fetch, patienceMs }: PatientRpcOptions) {
  let refused = 0;
  return {
    fetch: (async (...request: Parameters<typeof fetch>) => {
      try {
        return await fetch(...request);
      } catch (error) {
        if ((error as { cause?: { code?: unknown } }).cause?.code === 'ECONNREFUSED') refused++;
        throw error;
      }
    }) as typeof globalThis.fetch,
    whileRefused: async <Answer>(ask: () => Promise<Answer>, isMissing: (answer: Answer) => boolean) => {
      const end = Date.now() + patienceMs;
      for (;;) {
        const before = refused;
        const answer = await ask();
        if (refused === before || !isMissing(answer) || Date.now() >= end) return answer;
        await new Promise<void>((resolve) => void setTimeout(resolve, PAUSE_MS));
      }
    },
  };
}
