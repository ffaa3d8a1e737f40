import type { ChainReader } from '../chain-reader.ts';
import type { RpcOptions } from '../requests/client.ts';
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
  const read = (patient: RpcOptions) => {
    const reader = rpcChain(patient);
    return (...asked: Parameters<ChainReader['attestation']>) => reader.attestation(...asked);
  };
  return { attestation: patiently(options, read, ({ kind }) => kind === 'unreachable') };
}

/**
 * As `patientRpcChain`.
 * @throws {TypeError} without an endpoint, or on a malformed url
 * @example
 * const blocks = patientRpcBlocks(31337, { urls: ['http://127.0.0.1:9/'], patienceMs: 5_000 });
 * await blocks({ number: 5, hash: blockHash }); // { state: 'unknown', reason: 'the endpoint cannot be reached' }
 */
export const patientRpcBlocks = (chainId: number, options: PatientRpcOptions): BlockSource =>
  patiently(
    options,
    (patient) => rpcBlocks(chainId, patient),
    ({ state }) => state === 'unknown',
  );

const PAUSE_MS = 200;

function patiently<Asked extends unknown[], Answer>(
  { fetch = globalThis.fetch, patienceMs, ...options }: PatientRpcOptions,
  make: (options: RpcOptions) => (...asked: Asked) => Promise<Answer>,
  isMissing: (answer: Answer) => boolean,
): (...asked: Asked) => Promise<Answer> {
  let refused = 0;
  const counting = async (...request: Parameters<typeof fetch>) => {
    try {
      return await fetch(...request);
    } catch (error) {
      if ((error as { cause?: { code?: unknown } }).cause?.code === 'ECONNREFUSED') refused++;
      throw error;
    }
  };
  const read = make({ ...options, fetch: counting });
  return async (...asked) => {
    const end = Date.now() + patienceMs;
    for (;;) {
      const before = refused;
      const answer = await read(...asked);
      if (refused === before || !isMissing(answer) || Date.now() >= end) return answer;
      await new Promise<void>((resolve) => void setTimeout(resolve, PAUSE_MS));
    }
  };
}
