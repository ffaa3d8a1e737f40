import { isHex } from '@svc/protocol';
import { type DrandChain, parseChainInfo, parseOpening, QUICKNET } from '@svc/protocol/timelock';
import { checkOpening } from '@svc/verifier/opening';

export { openSealHere } from './opened-seal.ts';

interface Entered {
  beacon: string;
  relay: string;
  keys: string;
}

const HEADINGS = {
  opened: 'It is open.',
  sealed: 'It is still sealed.',
  'other-chain': 'It belongs to a different chain.',
  'other-etch': 'It belongs to a different etch.',
  'other-beacon': 'This is not the round’s signature.',
  forged: 'It was changed.',
  junk: 'It holds something else.',
  broken: 'This is a broken promise.',
};

/** A relay receives only the round's number. */
export async function openHere(text: string, { beacon, relay, keys }: Entered) {
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
    const told = signature === null ? await ask(`public/${round}`) : null;
    const found = (told as { signature?: unknown } | null)?.signature;
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
