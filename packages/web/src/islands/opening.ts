import { isHex } from '@svc/protocol';
import { type DrandChain, parseChainInfo, parseOpening, QUICKNET } from '@svc/protocol/timelock';
import { checkBlindSeal, checkOpening } from '@svc/verifier/opening';
import { readBlindSeal } from '@svc/protocol/conventions';

interface EnteredFields {
  beacon: string;
  relay: string;
  keys: string;
}

const HEADINGS = {
  opened: 'It is open.',
  sealed: 'It is still sealed.',
  'other-chain': 'It belongs to a different chain.',
  'other-etch': 'It belongs to a different etch.',
  'other-promise': 'It differs from a promise of unknown origin.',
  'other-beacon': 'This is not the round’s signature.',
  forged: 'It was changed.',
  junk: 'It holds something else.',
  broken: 'This is a broken promise.',
};

/** A relay receives only the round's number. */
export async function openHere(text: string, { beacon, relay, keys }: EnteredFields) {
  const opening = parseOpening(asJson(text));
  const { chain_hash: hash, round } = opening;
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${relay.replace(/\/+$/, '')}/${hash}/${path}`, { redirect: 'error' });
    return response.ok ? response.json() : null;
  };
  const known = hash === QUICKNET.hash;
  let chain: DrandChain = QUICKNET;
  let signature: string | null = beacon === '' ? null : beacon.toLowerCase();
  if (relay !== '') {
    if (!known) chain = parseChainInfo(await ask('info'));
    const answer = signature === null ? await ask(`public/${round}`) : null;
    const found = (answer as { signature?: unknown } | null)?.signature;
    if (isHex(found, 48)) signature = found;
  }
  const trusted = keys.toLowerCase().match(/[0-9a-f]{64}/g) ?? [];
  const { verdict, badge, detail, parts } = checkOpening(
    opening,
    { keys: trusted, pinned: trusted.length > 0 },
    chain,
    signature,
  );
  const words = parts && { ...parts, hash: opening.hash };
  return { verdict: verdict === 'info' ? 'pass' : verdict, heading: HEADINGS[badge], detail, words } as const;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This file is not an opening: it is not JSON.');
  }
}

interface SealToOpen {
  words: string;
  createdAt: string;
  chain: DrandChain;
  url: string;
  entered: string;
}

const SEAL_HEADINGS = { ...HEADINGS, junk: 'This seal fails.' };

export async function openSealHere({ words, createdAt, chain: pinned, url, entered }: SealToOpen) {
  const isQuicknet = pinned.hash === QUICKNET.hash;
  const chain = isQuicknet ? QUICKNET : pinned;
  const seal = readBlindSeal(words, createdAt, chain);
  if (seal === undefined) throw new Error('This etch is no blind seal of this chain.');
  const signature = entered === '' ? await askService(url) : entered.toLowerCase();
  const { verdict, badge, detail, text } = checkBlindSeal(seal, chain, signature);
  const key = isQuicknet
    ? 'The round’s signature was checked in this browser, with the key of quicknet in this page’s program. This does not check that the ciphertext was on the chain.'
    : 'The round’s signature was checked in this browser, with the key that this service publishes for its chain. This does not check that the ciphertext was on the chain.';
  if (signature === null && Date.parse(seal.due) <= Date.now())
    return {
      verdict: 'wait',
      heading: 'Not opened yet.',
      detail: `This service does not have the signature of round ${seal.round} yet. Try again later, or enter it below.`,
      text,
    } as const;
  return {
    verdict: verdict === 'info' ? 'wait' : verdict,
    heading: SEAL_HEADINGS[badge],
    detail: text === null && badge !== 'junk' ? detail : `${detail} ${key}`,
    text,
  } as const;
}

/** Null without an answer: the reader may enter one. */
async function askService(url: string): Promise<string | null> {
  const answer = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => null);
  const { signature } = answer?.ok ? ((await answer.json()) as { signature?: unknown }) : {};
  return isHex(signature, 48) ? signature : null;
}
