import { fetchBounded } from './bounded-fetch.ts';
import { parseJson, readJsonFile } from './input-file.ts';
import { etchHash, isHex, parseCanonicalString, parseReceipt, type Receipt } from '@svc/protocol';
import { type BlindSeal, readBlindSeal } from '@svc/protocol/conventions';
import type * as Timelock from '@svc/protocol/timelock';
import type { DrandChain } from '@svc/protocol/timelock';
import { ApiError } from '@svc/sdk';
import type { BlindSealCheck } from '@svc/verifier/opening';
import { clientWithoutKey } from './service-requests.ts';
import type { Shown } from './context.ts';
import { awayError, EXIT, failError, inputError, parsed, waitError } from './exit.ts';
import { refuseOtherEtch } from './load-receipt.ts';

interface BlindTarget {
  value: unknown;
  etchId: string | null;
  origin: string;
}

interface OpenBlindOptions {
  beacon?: string;
  drand?: string;
}

export async function openBlindSeal(
  { value, etchId, origin }: BlindTarget,
  chain: DrandChain,
  options: OpenBlindOptions,
): Promise<Shown> {
  const receipt = parseReceipt((value as { receipt?: unknown } | null)?.receipt ?? value);
  refuseOtherEtch(receipt, etchId);
  const { seal, parts } = readWords(receipt, chain);
  const { verdict, badge, detail, text } = await judge(seal, parts, chain, origin, options);
  const { etch_id, hash } = receipt;
  const { round, due } = seal;
  const next = 'svc verify checks when this ciphertext was committed.';
  const opened = text === null ? [] : openedWords({ ...parts, content: text }, next);
  return {
    value: {
      result: verdict,
      check: { verdict, badge, detail, text },
      seal: { etch_id, hash, chain: seal.chain, round, due },
    },
    words: [...judgedWords(receipt, { verdict, badge, detail }), ...opened],
    status: EXIT[verdict === 'info' ? 'pass' : verdict],
  };
}

export const judgedWords = (
  { etch_id, hash }: { etch_id: string; hash: string },
  { verdict, badge, detail }: Pick<BlindSealCheck, 'verdict' | 'detail'> & { badge: string },
): string[] => [
  `Etch     ${etch_id}`,
  `Hash     ${hash}`,
  `${verdict.toUpperCase().padEnd(5)} ${badge}: ${detail}`,
];

export const openedWords = (
  { createdAt, userId, content }: Record<'createdAt' | 'userId' | 'content', string>,
  next: string,
): string[] => [`Stated   ${createdAt} by ${userId}`, '', ...content.split('\n'), '', next];

function readWords(receipt: Receipt, chain: DrandChain) {
  const { canonical_string: words, status, hash } = receipt;
  if (words === null)
    throw inputError(
      status === 'retracted'
        ? 'the etch is retracted, so this receipt has no ciphertext: use a receipt from before the retraction'
        : 'the service sealed this etch, so it is not a blind seal: its author opens it with the file of svc opening',
    );
  const parts = parseCanonicalString(words);
  if (parts === null || etchHash(words) !== hash)
    throw failError('FAIL: not a valid receipt: its hash is not that of its words');
  const seal = readBlindSeal(parts.content, parts.createdAt, chain);
  if (seal === undefined)
    throw inputError(
      `the text is not a blind seal to the drand chain ${chain.hash}; name its chain with --chain`,
    );
  return { seal, parts };
}

async function judge(
  seal: BlindSeal,
  { content, createdAt }: { content: string; createdAt: string },
  chain: DrandChain,
  origin: string,
  { beacon, drand }: OpenBlindOptions,
): Promise<BlindSealCheck> {
  if (beacon !== undefined || drand !== undefined) {
    const { checkBlindSeal } = await import('@svc/verifier/opening');
    const signature = beacon?.toLowerCase() ?? (await readBeacon(drand!, seal.chain, seal.round));
    return checkBlindSeal(seal, chain, signature);
  }
  try {
    return await clientWithoutKey(origin).openBlind({ content, created_at: createdAt }, { chain });
  } catch (error) {
    if (error instanceof ApiError && [404, 422, 503].includes(error.status))
      throw waitError(
        `${origin} does not have the signature of round ${seal.round} (${error.message}): give --drand or --beacon`,
      );
    throw error;
  }
}

const PATIENCE_MS = 10_000;
const MOST_BYTES = 65_536;

/** Unverified; null if the relay lacks it. */
export async function readBeacon(relay: string, chainHash: string, round: number): Promise<string | null> {
  const value = await askRelay(relay, `/${chainHash}/public/${round}`);
  const signature = (value as { signature?: unknown } | null)?.signature;
  return isHex(signature, 48) ? signature : null;
}

export async function readChainInfo(relay: string, chainHash: string): Promise<unknown> {
  const info = await askRelay(relay, `/${chainHash}/info`);
  if (info === null)
    throw inputError(
      `the drand relay ${relay} does not have the chain ${chainHash}; name a relay of that chain with --drand`,
    );
  return info;
}

async function askRelay(relay: string, path: string): Promise<unknown> {
  const url = `${relay.replace(/\/+$/, '')}${path}`;
  const { isOk, bytes } = await fetchBounded(url, MOST_BYTES, PATIENCE_MS).catch(() => {
    throw awayError(`${url} cannot be reached; name another drand relay with --drand`);
  });
  return isOk && bytes !== null ? (parseJson(bytes) ?? null) : null;
}

export async function namedChain(path: string | undefined) {
  const timelock = await import('@svc/protocol/timelock');
  if (path === undefined) return { ...timelock, chain: timelock.QUICKNET };
  const value = await readJsonFile(path);
  return { ...timelock, chain: parsedChain(value, timelock) };
}

const NOT_A_CHAIN = 'FAIL: not a valid description of a drand chain';

export const parsedChain = (value: unknown, { parseChainInfo, TimelockError }: typeof Timelock) =>
  parsed(() => parseChainInfo(value), TimelockError, NOT_A_CHAIN, EXIT.fail);
