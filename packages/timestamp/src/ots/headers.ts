import { bytesToHex, hexToBytes, isHex } from '@svc/protocol';
import { fetchBytes, type FetchOptions } from '../fetch-bytes.ts';
import { TimestampError } from '../timestamp-error.ts';
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
  const node = readNode(url);
  return async (height) => {
    try {
      const hash = await callNode(node, 'getblockhash', [height], options);
      const header = readHeader(await callNode(node, 'getblockheader', [hash, false], options));
      return header.hash === hash
        ? { state: 'block', headers: [header] }
        : { state: 'unknown', reason: 'the Bitcoin node returned a header with a different hash' };
    } catch (error) {
      if (error instanceof TimestampError)
        return { state: 'unknown', reason: `of the Bitcoin node: ${error.message}` };
      if (error instanceof RangeError || error instanceof SyntaxError)
        return { state: 'unknown', reason: 'the Bitcoin node gave no valid answer' };
      throw error;
    }
  };
}

interface Node {
  address: string;
  headers: Record<string, string>;
}

function readNode(url: string): Node {
  const { username, password, origin, pathname, search } = new URL(url);
  const address = `${origin}${pathname}${search}`;
  const headers = { 'content-type': 'application/json' };
  if (username + password === '') return { address, headers };
  try {
    const login = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return {
      address,
      headers: { ...headers, authorization: `Basic ${btoa(String.fromCharCode(...login))}` },
    };
  } catch {
    throw new RangeError('the credentials in the URL of the Bitcoin node are not percent-encoded');
  }
}

async function callNode(
  { address, headers }: Node,
  method: string,
  params: readonly unknown[],
  options: FetchOptions,
): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '1.0', id: 1, method, params });
  const request = { method: 'POST', headers, body };
  const { bytes } = await fetchBytes(address, request, LONGEST_ANSWER, options);
  const answer = JSON.parse(new TextDecoder().decode(bytes)) as { result?: unknown } | null;
  const result = answer?.result;
  if (typeof result !== 'string') throw new RangeError('the answer has no result');
  return result;
}
