import { bytesToHex, hexToBytes, isHex } from '@svc/protocol';
import { postJson, splitCredentials, withTimeout } from '@svc/verifier/requests';
import type { FetchOptions } from '../fetch-bytes.ts';
import { sha256 } from './operation.ts';

export interface BitcoinHeader {
  /** as Bitcoin displays it, reversed */
  hash: string;
  merkleRoot: Uint8Array;
  /** seconds since 1970; up to two hours off */
  time: number;
}

/** `any`: all headers that may be at this height. */
export type HeaderSource = (
  height: number,
) => Promise<
  { state: 'block' | 'any'; headers: readonly BitcoinHeader[] } | { state: 'unknown'; reason: string }
>;

const HEADER_LENGTH = 80;

/**
 * The caller trusts the header: its proof of work is not checked.
 * @throws {RangeError} on anything but 160 hex digits
 */
export function readHeader(hex: string): BitcoinHeader {
  if (!isHex(hex.toLowerCase(), HEADER_LENGTH))
    throw new RangeError('a Bitcoin block header has 160 hex digits');
  const bytes = hexToBytes(hex);
  return {
    hash: bytesToHex(sha256(sha256(bytes)).reverse()),
    merkleRoot: bytes.slice(36, 68),
    time: new DataView(bytes.buffer).getUint32(68, true),
  };
}

/** A header does not contain its height. */
export function givenHeaders(hexes: readonly string[]): HeaderSource {
  const headers = hexes.map(readHeader);
  return () => Promise.resolve({ state: 'any', headers });
}

export const noHeaders: HeaderSource = () =>
  Promise.resolve({ state: 'unknown', reason: 'no Bitcoin block header was given' });

export function oncePerHeight(source: HeaderSource): HeaderSource {
  const answers = new Map<number, ReturnType<HeaderSource>>();
  return (height) => {
    const answer = answers.get(height) ?? source(height);
    answers.set(height, answer);
    return answer;
  };
}

const LONGEST_ANSWER = 4096;

/**
 * JSON-RPC: `getblockhash`, `getblockheader`. Sends credentials of the URL as an `Authorization` header.
 * @throws {RangeError} on credentials that are not percent-encoded
 */
export function rpcHeaders(url: string, options: FetchOptions): HeaderSource {
  const node = splitCredentials(url);
  return async (height) => {
    try {
      const hash = await callNode(node, 'getblockhash', [height], options);
      const header = readHeader(await callNode(node, 'getblockheader', [hash, false], options));
      return header.hash === hash
        ? { state: 'block', headers: [header] }
        : { state: 'unknown', reason: 'the Bitcoin node returned a header with a different hash' };
    } catch (error) {
      return {
        state: 'unknown',
        reason:
          error instanceof RangeError
            ? 'the Bitcoin node gave no valid answer'
            : 'the Bitcoin node cannot be reached, does not answer in time, or answers too much',
      };
    }
  };
}

async function callNode(
  node: ReturnType<typeof splitCredentials>,
  method: string,
  params: readonly unknown[],
  { timeoutMs, fetch }: FetchOptions,
): Promise<string> {
  const request = { jsonrpc: '1.0', id: 1, method, params };
  const { value } = await withTimeout(timeoutMs, (signal) =>
    postJson({ ...node, maxBytes: LONGEST_ANSWER, fetch }, signal, request),
  );
  const result = (value as { result?: unknown } | null | undefined)?.result;
  if (typeof result !== 'string') throw new RangeError('the answer has no result');
  return result;
}
