import { etchHash, type EtchParts, parseCanonicalString, textOfBytes } from '@svc/protocol';
import {
  BeaconError,
  type DrandChain,
  isOpeningSigned,
  type Opening,
  parseOpening,
  roundTime,
  timelockDecrypt,
  TimelockError,
  unarmor,
} from '@svc/protocol/timelock';
import { Misfits } from '../answers/misfit.ts';
import { misfitWords } from '../answers/misfit-words.ts';
import { checkOpeningFits, type OpenedEtch } from '../answers/opening.ts';
import type { Verdict } from '../check.ts';
import type { PromiseTrust } from '../promise.ts';

const VERDICTS = {
  opened: 'pass',
  sealed: 'wait',
  'other-chain': 'wait',
  'other-beacon': 'wait',
  'other-etch': 'wait',
  'other-promise': 'wait',
  forged: 'fail',
  junk: 'fail',
  broken: 'fail',
} as const;

export interface OpeningCheck {
  verdict: Verdict;
  badge: keyof typeof VERDICTS;
  detail: string;
  canonicalString: string | null;
  parts: EtchParts | null;
}

/**
 * Does not show when the hash was attested (docs/protocol.md#411-openings).
 * @param trust the promise keys whose openings count
 * @param signature of the round, in hex; null before the round
 * @param promised a different hash or round fails at once, unless neither a pinned key nor the opening's own
 * key signed the promise (`signedBy`)
 * @throws {TimelockError} when the opening is malformed
 * @example
 * checkOpening(opening, { keys: [], pinned: false }, chain, null).badge; // 'sealed'
 * checkOpening(opening, { keys: [], pinned: false }, chain, signature).badge; // 'opened'
 */
export function checkOpening(
  given: unknown,
  trust: PromiseTrust,
  chain: DrandChain,
  signature: string | null,
  promised: OpenedEtch = {},
): OpeningCheck {
  const opening = parseOpening(given);
  const isPinned = trust.pinned && trust.keys.includes(opening.public_key);
  if (!isOpeningSigned(opening))
    return makeCheck('forged', 'Its signature does not verify: this key did not sign it.');
  if (opening.chain_hash !== chain.hash)
    return makeCheck(
      'other-chain',
      `It is encrypted to the chain ${opening.chain_hash}, not to ${chain.hash}.`,
    );
  if (promised.id !== undefined && promised.id !== opening.etch_id)
    return makeCheck('other-etch', `It is of etch ${opening.etch_id}, not of ${promised.id}.`);
  const { signedBy } = promised;
  const counts =
    signedBy === undefined ||
    signedBy === opening.public_key ||
    (trust.pinned && trust.keys.includes(signedBy));
  const misfits = misfitsOf(opening, chain, counts ? promised : {});
  if (misfits !== null) {
    const detail = `It is not the promised opening: ${misfits}.`;
    return isPinned
      ? makeCheck('broken', `${detail} The key ${opening.public_key}, which you pinned, signed it.`)
      : makeCheck('junk', `${detail} It is signed by a key that you did not pin.`);
  }
  const found = judgeCiphertext(opening, isPinned, chain, signature);
  const differs = counts ? null : misfitsOf(opening, chain, promised);
  if (differs === null || found.verdict === 'fail') return found;
  const detail = `It differs from a promise by the key ${signedBy}, which you did not pin: ${differs}. That promise shows nothing about this opening.`;
  return { ...found, ...badged('other-promise', detail) };
}

function misfitsOf(opening: Opening, chain: DrandChain, promised: OpenedEtch): string | null {
  const misfits = new Misfits('');
  checkOpeningFits(misfits, opening, promised, chain, null);
  return misfits.found.length === 0 ? null : misfitWords(misfits.found);
}

function judgeCiphertext(
  opening: Opening,
  isPinned: boolean,
  chain: DrandChain,
  signature: string | null,
): OpeningCheck {
  const { round } = opening;
  if (signature === null)
    return makeCheck(
      'sealed',
      `Round ${round} opens it and is due at ${new Date(roundTime(chain, round)).toISOString()}.`,
    );
  const found = open(opening, chain, signature);
  if (found === 'other-beacon')
    return makeCheck(
      'other-beacon',
      `This is not the signature of round ${round} by the chain ${chain.hash}: it proves nothing about this opening.`,
    );
  if ('junk' in found)
    return isPinned
      ? makeCheck(
          'broken',
          `${found.junk} The key ${opening.public_key}, which you pinned, signed that it opens to the words of hash ${opening.hash}.`,
        )
      : makeCheck('junk', `${found.junk} It is signed by a key that you did not pin.`);
  return {
    ...makeCheck('opened', `It opens with round ${round} to words of the hash that it names.`),
    canonicalString: found.words,
    parts: found.parts,
  };
}

type Opened = { words: string; parts: EtchParts } | { junk: string } | 'other-beacon';

function open(opening: Opening, chain: DrandChain, signature: string): Opened {
  let bytes: Uint8Array;
  try {
    const file = unarmor(opening.ciphertext);
    bytes = timelockDecrypt(chain, file, signature, opening.round);
  } catch (error) {
    if (error instanceof BeaconError) return 'other-beacon';
    if (error instanceof TimelockError) return { junk: `It does not open with its round: ${error.message}.` };
    throw error;
  }
  const words = textOfBytes(bytes);
  const parts = words === null ? null : parseCanonicalString(words);
  if (words === null || parts === null) return { junk: 'It opens to bytes that are not a canonical string.' };
  const hash = etchHash(words);
  return hash === opening.hash
    ? { words, parts }
    : { junk: `It opens to words with a different hash, ${hash}.` };
}

const badged = (badge: OpeningCheck['badge'], detail: string) => ({
  verdict: VERDICTS[badge],
  badge,
  detail,
});

const makeCheck = (badge: OpeningCheck['badge'], detail: string): OpeningCheck => ({
  ...badged(badge, detail),
  canonicalString: null,
  parts: null,
});
