import { isHex } from '@svc/protocol';
import { readBlindSeal } from '@svc/protocol/conventions';
import { type DrandChain, QUICKNET } from '@svc/protocol/timelock';
import { checkBlindSeal } from '@svc/verifier/opening';

interface Closed {
  words: string;
  createdAt: string;
  chain: DrandChain;
  url: string;
  entered: string;
}

const HEADINGS = {
  opened: 'It is open.',
  sealed: 'It is still sealed.',
  'other-beacon': 'This is not the round’s signature.',
  junk: 'This seal fails.',
};

export async function openSealHere({ words, createdAt, chain: pinned, url, entered }: Closed) {
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
    heading: HEADINGS[badge],
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
