import { attestedFilter, type AttestedLog, lower, numberOf, readAttestedLogs } from './attested-logs.ts';
import type { OnchainAttestation } from './chain-reader.ts';
import { decodeAttestation, encodeGetAttestation } from './eas-abi.ts';
import { EndpointFault } from './requests/bounded.ts';
import {
  call,
  callBatch,
  malformed,
  type Rpc,
  rpcClient,
  type RpcOptions,
  type RpcRequest,
} from './requests/client.ts';
import { pauseOf } from './requests/json-rpc.ts';
import { LogSpan } from './requests/log-span.ts';
import { normalizeTrust, type Trust } from './trust.ts';

export interface LogRange {
  from: number;
  to: number;
  logs: AttestedLog[];
}

/** Every method throws `ChainUnreadable`. */
export interface LogReader {
  head(): Promise<number>;
  /** Where the schema was registered; 0 without an answer. */
  firstBlock(head: number): Promise<number>;
  /** In ranges as large as the endpoint allows. */
  attested(from: number, to: number): AsyncIterable<LogRange>;
  attestations(logs: readonly AttestedLog[]): Promise<OnchainAttestation[]>;
}

/** Proves nothing about the content of the chain. */
export class ChainUnreadable extends Error {
  override name = 'ChainUnreadable';
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** requests in one batch */
const LIST = 20;
const LISTS_AT_ONCE = 4;
const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 60_000;
/** `Registered(bytes32 indexed uid, address indexed registerer, (bytes32, address, bool, string) schema)`. */
const REGISTERED_TOPIC = '0xd0b86852e21f9e5fa4bc3b0cff9757ffe243d50c4b43968a42202153d651ea5e';
const GET_SCHEMA_REGISTRY = '0xf10b5cc8';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A narrower request may succeed. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof EndpointFault && ['refused', 'slow', 'large'].includes(error.kind);

/**
 * Tries the endpoints in order, waits for `Retry-After`, halves a rejected range, and reads attestations in
 * batches if the endpoint accepts batches.
 * @throws {TypeError} on malformed trust or urls
 * @example
 * const reader = rpcLogReader(trust, { urls: ['http://127.0.0.1:8545'] });
 * const found = [];
 * for await (const { logs } of reader.attested(0, await reader.head())) found.push(...logs);
 * found.some(({ uid }) => uid === receipt.chain.attestation_uid); // true
 */
export function rpcLogReader(trust: Trust, options: RpcOptions): LogReader {
  const firstAnswer = rpcClient({ timeoutMs: 20_000, ...options }, MAX_ANSWER_BYTES);
  const { contract, schemaUid, chainId } = normalizeTrust(trust);
  let takesLists = true;

  /** Repeats while the last endpoint is busy. @throws {EndpointFault} of the last endpoint */
  async function ask<T>(read: (rpc: Rpc) => Promise<T>): Promise<T> {
    for (let made = 1; ; made++) {
      const { found, faults } = await firstAnswer(chainId, read);
      if (found !== null) return found;
      const last = faults.at(-1)!;
      if (last.kind !== 'busy' || made === ATTEMPTS) throw last;
      await sleep(Math.min(pauseOf(last.response) ?? FIRST_PAUSE_MS * 2 ** (made - 1), MOST_PAUSE_MS));
    }
  }

  const logsOf = (from: number, to: number) =>
    ask(async (rpc) => {
      const answer = await call(rpc, 'eth_getLogs', [attestedFilter(contract, schemaUid, from, to)]);
      return readAttestedLogs(answer, { contract, schemaUid, from, to });
    });

  async function readMany(logs: readonly AttestedLog[]): Promise<OnchainAttestation[]> {
    const requests = logs.map(({ uid }): RpcRequest => {
      const params = [{ to: contract, data: encodeGetAttestation(uid) }, 'latest'];
      return { method: 'eth_call', params };
    });
    if (takesLists && logs.length > 1) {
      try {
        const answers = await ask((rpc) => callBatch(rpc, requests));
        return answers.map((answer, at) => read(answer, logs[at]!, schemaUid));
      } catch (error) {
        if (!isTooMuch(error)) throw error;
        takesLists = false;
      }
    }
    const found: OnchainAttestation[] = [];
    for (const [at, { method, params }] of requests.entries()) {
      const answer = await ask((rpc) => call(rpc, method, params));
      found.push(read(answer, logs[at]!, schemaUid));
    }
    return found;
  }

  return {
    head: () =>
      readably(async () => {
        const answer = await ask((rpc) => call(rpc, 'eth_blockNumber', []));
        const head = typeof answer === 'string' ? Number(answer) : NaN;
        if (!Number.isSafeInteger(head)) throw malformed();
        return head;
      }),
    async firstBlock(head) {
      try {
        return await ask(async (rpc) => {
          const asked = [{ to: contract, data: GET_SCHEMA_REGISTRY }, 'latest'];
          const registry = lower(await call(rpc, 'eth_call', asked));
          if (!/^0x0{24}[0-9a-f]{40}$/.test(registry)) return 0;
          const filter = {
            address: `0x${registry.slice(26)}`,
            topics: [REGISTERED_TOPIC, schemaUid],
            fromBlock: '0x0',
            toBlock: `0x${head.toString(16)}`,
          };
          const logs = await call(rpc, 'eth_getLogs', [filter]);
          const block = numberOf((logs as { blockNumber?: unknown }[])[0]?.blockNumber);
          return Number.isSafeInteger(block) && block <= head ? block : 0;
        });
      } catch {
        return 0;
      }
    },
    async *attested(from, to) {
      const span = new LogSpan(to - from + 1);
      while (from <= to) {
        const end = Math.min(to, from + span.blocks - 1);
        const logs = await readably(async () => {
          try {
            return await logsOf(from, end);
          } catch (error) {
            if (!isTooMuch(error) || !span.rejected(end - from + 1)) throw error;
            return null;
          }
        });
        if (logs === null) continue;
        yield { from, to: end, logs };
        from = end + 1;
        span.accepted();
      }
    },
    attestations: (logs) =>
      readably(async () => {
        const lists = Array.from({ length: Math.ceil(logs.length / LIST) }, (_, at) =>
          logs.slice(at * LIST, (at + 1) * LIST),
        );
        const found: OnchainAttestation[] = [];
        for (let at = 0; at < lists.length; at += LISTS_AT_ONCE) {
          const some = await Promise.all(lists.slice(at, at + LISTS_AT_ONCE).map(readMany));
          found.push(...some.flat());
        }
        return found;
      }),
  };
}

/** @throws {EndpointFault} when the answer is a different attestation */
function read(answer: unknown, log: AttestedLog, schemaUid: string): OnchainAttestation {
  let found: OnchainAttestation | null;
  try {
    found = decodeAttestation(answer);
  } catch {
    throw malformed();
  }
  if (found === null)
    throw new EndpointFault('returned the log of an attestation, but not the attestation', 'busy');
  if (found.uid !== log.uid || found.schema !== schemaUid || found.attester !== log.attester)
    throw new EndpointFault('returned a different attestation than its log names');
  return found;
}

async function readably<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EndpointFault)
      throw new ChainUnreadable(`the endpoint of the chain ${error.message}`);
    throw error;
  }
}
