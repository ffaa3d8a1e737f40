import type { Receipt } from '@svc/protocol';
import type { Opening } from '@svc/protocol/timelock';
import type { OpeningCheck } from '@svc/verifier/opening';
import { readReceipt } from './read-receipt.ts';

/** Returns why the words do not belong to the receipt. */
export function withWords(
  value: unknown,
  opening: Opening,
  { canonicalString, parts }: Pick<OpeningCheck, 'canonicalString' | 'parts'>,
): { receipt: Receipt } | { fault: string } {
  const receipt = readReceipt((value as { receipt?: unknown } | null)?.receipt ?? value);
  if (receipt.hash !== opening.hash) return { fault: `The receipt has a different hash, ${receipt.hash}.` };
  if (receipt.author.user_id !== parts?.userId)
    return { fault: `The receipt has a different author, ${receipt.author.user_id}.` };
  const isRetracted = receipt.status === 'retracted';
  return {
    receipt: isRetracted ? receipt : { ...receipt, status: 'revealed', canonical_string: canonicalString },
  };
}
