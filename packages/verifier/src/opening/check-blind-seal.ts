import { BeaconError, type DrandChain, openBlind, roundTime, TimelockError } from '@svc/protocol/timelock';
import type { BlindSeal } from '@svc/protocol/conventions';
import type { Verdict } from '../check.ts';

const VERDICTS = { opened: 'pass', sealed: 'wait', 'other-beacon': 'wait', junk: 'fail' } as const;

export interface BlindSealCheck {
  verdict: Verdict;
  badge: keyof typeof VERDICTS;
  detail: string;
  /** null unless it opens */
  text: string | null;
}

/**
 * Does not show when the ciphertext was attested (docs/protocol.md#412-blind-seals).
 * @param signature of the round, in hex; null before the round
 * @example
 * checkBlindSeal(seal, QUICKNET, null).badge; // 'sealed'
 */
export function checkBlindSeal(
  seal: Pick<BlindSeal, 'round' | 'ciphertext'>,
  chain: DrandChain,
  signature: string | null,
): BlindSealCheck {
  const { round } = seal;
  if (signature === null)
    return makeCheck(
      'sealed',
      `Round ${round} opens it and is due at ${new Date(roundTime(chain, round)).toISOString()}.`,
    );
  try {
    const text = openBlind(chain, seal, signature);
    return { ...makeCheck('opened', `It opens with round ${round}, and only to these words.`), text };
  } catch (error) {
    if (error instanceof BeaconError)
      return makeCheck(
        'other-beacon',
        `This is not the signature of round ${round} by the chain ${chain.hash}: it proves nothing about this seal.`,
      );
    if (error instanceof TimelockError)
      return makeCheck(
        'junk',
        `It opens to no text: ${error.message}. The signature of round ${round} is right, so the author committed to nothing readable.`,
      );
    throw error;
  }
}

const makeCheck = (badge: BlindSealCheck['badge'], detail: string): BlindSealCheck => ({
  verdict: VERDICTS[badge],
  badge,
  detail,
  text: null,
});
