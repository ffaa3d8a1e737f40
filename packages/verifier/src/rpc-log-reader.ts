import { attestedFilter, type AttestedLog, lower, numberOf, readAttestedLogs } from './attested-logs.ts';
import type { OnchainAttestation } from './chain-reader.ts';
import { decodeAttestation, encodeGetAttestation } from './eas-abi.ts';
import {
  call,
  callMany,
  checkChainId,
  checkUrls,
  type Endpoint,
  EndpointFault,
  kindOf,
  malformed,
  pauseOf,
  type RpcOptions,
  type RpcRequest,
  withTimeout,
} from './json-rpc.ts';
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
/** Tried after an endpoint rejected a larger range. */
const COMMON_SPAN = 10_000;
/** requests in one batch */
const LIST = 20;
const LISTS_AT_ONCE = 4;
const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 60_000;
/** `Registered(bytes32 indexed uid, address indexed registerer, (bytes32, address, bool, string) schema)`. */
const REGISTERED_TOPIC = '0xd0b86852e21f9e5fa4bc3b0cff9757ffe243d50c4b43968a42202153d651ea5e';
const GET_SCHEMA_REGISTRY = '0xf10b5cc8';

const isRefused = (error: unknown): boolean => error instanceof EndpointFault && kindOf(error) === 'refused';
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

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
export function rpcLogReader(
  trust: Trust,
  { urls, timeoutMs = 20_000, fetch = globalThis.fetch }: RpcOptions,
): LogReader {
  checkUrls(urls);
  const { contract, schemaUid, chainId } = normalizeTrust(trust);
  const endpoints = urls.map((url): Endpoint => ({ fetch, url, timeoutMs, maxBytes: MAX_ANSWER_BYTES }));
  const checked = new Set<string>();
  let takesLists = true;

  async function checkChain(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    if (checked.has(endpoint.url)) return;
    checkChainId(await call(endpoint, signal, 'eth_chainId', []), chainId);
    checked.add(endpoint.url);
  }

  /** @throws {EndpointFault} of the last endpoint */
  async function ask<T>(work: (endpoint: Endpoint, signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let made = 1; ; made++) {
      let last = new EndpointFault('cannot be reached', 'busy');
      for (const endpoint of endpoints) {
        try {
          return await withTimeout(timeoutMs, async (signal) => {
            await checkChain(endpoint, signal);
            return work(endpoint, signal);
          });
        } catch (error) {
          last = error instanceof EndpointFault ? error : new EndpointFault('cannot be reached', 'busy');
        }
      }
      if (kindOf(last) !== 'busy' || made === ATTEMPTS) throw last;
      await sleep(Math.min(pauseOf(last) ?? FIRST_PAUSE_MS * 2 ** (made - 1), MOST_PAUSE_MS));
    }
  }

  const logsOf = (from: number, to: number) =>
    ask(async (endpoint, signal) => {
      const filter = attestedFilter(contract, schemaUid, from, to);
      const answer = await call(endpoint, signal, 'eth_getLogs', [filter]);
      return readAttestedLogs(answer, { contract, schemaUid, from, to });
    });

  async function readMany(logs: readonly AttestedLog[]): Promise<OnchainAttestation[]> {
    const requests = logs.map(({ uid }): RpcRequest => {
      const params = [{ to: contract, data: encodeGetAttestation(uid) }, 'latest'];
      return { method: 'eth_call', params };
    });
    if (takesLists && logs.length > 1) {
      try {
        const answers = await ask((endpoint, signal) => callMany(endpoint, signal, requests));
        return answers.map((answer, at) => read(answer, logs[at]!, schemaUid));
      } catch (error) {
        if (!isRefused(error)) throw error;
        takesLists = false;
      }
    }
    const found: OnchainAttestation[] = [];
    for (const [at, { method, params }] of requests.entries()) {
      const answer = await ask((endpoint, signal) => call(endpoint, signal, method, params));
      found.push(read(answer, logs[at]!, schemaUid));
    }
    return found;
  }

  return {
    head: () =>
      readably(async () => {
        const answer = await ask((endpoint, signal) => call(endpoint, signal, 'eth_blockNumber', []));
        const head = typeof answer === 'string' ? Number(answer) : NaN;
        if (!Number.isSafeInteger(head)) throw malformed();
        return head;
      }),
    async firstBlock(head) {
      try {
        return await ask(async (endpoint, signal) => {
          const asked = [{ to: contract, data: GET_SCHEMA_REGISTRY }, 'latest'];
          const registry = lower(await call(endpoint, signal, 'eth_call', asked));
          if (!/^0x0{24}[0-9a-f]{40}$/.test(registry)) return 0;
          const filter = {
            address: `0x${registry.slice(26)}`,
            topics: [REGISTERED_TOPIC, schemaUid],
            fromBlock: '0x0',
            toBlock: `0x${head.toString(16)}`,
          };
          const logs = await call(endpoint, signal, 'eth_getLogs', [filter]);
          const block = numberOf((logs as { blockNumber?: unknown }[])[0]?.blockNumber);
          return Number.isSafeInteger(block) && block <= head ? block : 0;
        });
      } catch {
        return 0;
      }
    },
    async *attested(from, to) {
      let ceiling = to - from + 1;
      let calm = 0;
      while (from <= to) {
        const end = Math.min(to, from + ceiling - 1);
        const logs = await readably(async () => {
          try {
            return await logsOf(from, end);
          } catch (error) {
            if (!isRefused(error) || end === from) throw error;
            return null;
          }
        });
        if (logs === null) {
          const span = end - from + 1;
          ceiling = span > COMMON_SPAN ? COMMON_SPAN : Math.ceil(span / 2);
          calm = 0;
          continue;
        }
        yield { from, to: end, logs };
        from = end + 1;
        if (++calm % 32 === 0 && ceiling < COMMON_SPAN) ceiling = Math.min(ceiling * 2, COMMON_SPAN);
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
