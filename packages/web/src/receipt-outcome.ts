import type { Receipt } from '@svc/protocol';
import { LATE_AFTER_MILLISECONDS, overall, type Verification } from '@svc/verifier';
import { between, spanText, timeText } from './format.ts';

export type TrustedBy = 'reader' | 'service' | 'receipt';

/** Only a full proof by values from outside the receipt is a `pass`. */
export type ReceiptOutcome = 'pass' | 'sealed' | 'retracted' | 'wait' | 'fail' | 'unpinned';

type CheckedReceipt = Pick<Verification, 'checks' | 'revocation' | 'chain'>;

export function receiptOutcome(
  { status }: Pick<Receipt, 'status'>,
  found: CheckedReceipt,
  trustedBy: TrustedBy,
  isBlind: boolean,
): ReceiptOutcome {
  const [words, , chain] = found.checks;
  const all = overall(found);
  if (all === 'fail') return 'fail';
  if (trustedBy === 'receipt') return 'unpinned';
  if (all === 'wait') return 'wait';
  if (status === 'retracted' || chain.badge === 'revoked') return 'retracted';
  return words.verdict === 'pass' && !isBlind ? 'pass' : 'sealed';
}

export function receiptHeadline(
  outcome: ReceiptOutcome,
  { checks }: CheckedReceipt,
  isBlind: boolean,
  opens?: string,
): string {
  const applying = checks.filter(({ badge }) => badge !== 'direct');
  const passed = applying.filter(({ verdict }) => verdict === 'pass').length;
  const counted = `${passed} of ${applying.length} checks passed`;
  switch (outcome) {
    case 'sealed':
      return isBlind
        ? `Encrypted words: ${counted}`
        : `Sealed${opens ? ` until ${timeText(opens)}` : ''}: ${counted}, the words cannot be checked yet`;
    case 'retracted':
      return `Erased words: ${counted}`;
    default: {
      // A file may have further proofs, which need certificates or a key.
      const isPart = outcome === 'pass' && passed < applying.length;
      const headline = isPart ? `${counted}, and no check failed` : HEADLINES[outcome];
      const isMatched = checks[0].verdict === 'pass' && !isBlind && outcome !== 'fail';
      return isMatched ? `The words match. ${headline}` : headline;
    }
  }
}

const HEADLINES = {
  pass: 'Every check passed',
  fail: 'Do not rely on this: a check failed',
  wait: 'Some checks could not be made now',
  unpinned: 'The attester is not checked yet: enter the values of the service',
} as const;

export function provenByReceipt(
  receipt: Pick<Receipt, 'status' | 'signature'>,
  found: CheckedReceipt,
  isBlind: boolean,
): string[] {
  const [words, , chain] = found.checks;
  const attested = found.chain.onchainTimestamp;
  if (attested === null || !['attested', 'late', 'revoked'].includes(chain.badge)) return [];
  const by = timeText(attested, 'seconds');
  const retracted = found.revocation.time;
  return [
    ...(words.verdict === 'pass'
      ? [
          isBlind ? `This ciphertext existed by ${by}.` : `These exact words existed by ${by}.`,
          'Nothing has changed since, not one character and not the stated time: the hash would differ.',
          ...(receipt.signature ? ['The holder of the signing key signed this.'] : []),
        ]
      : [
          `This hash existed by ${by}.`,
          ...(receipt.status === 'sealed' ? ['Its words cannot change: the hash would differ.'] : []),
        ]),
    ...(retracted ? [erasureRecorded(retracted)] : []),
  ];
}

/** The chain does not show whether the author or the operator erased the words. */
export const erasureRecorded = (at: string): string =>
  `Its erasure was recorded on the chain by ${timeText(at, 'seconds')}.`;

export function notProvenByReceipt(
  { inclusion }: Pick<Receipt, 'inclusion'>,
  { checks: [words], chain }: CheckedReceipt,
  isBlind: boolean,
  createdAt: string | undefined,
): string[] {
  const late =
    createdAt !== undefined &&
    chain.onchainTimestamp !== null &&
    between(createdAt, chain.onchainTimestamp) > LATE_AFTER_MILLISECONDS;
  const bound = words.verdict === 'pass' || inclusion?.tree_version === 2;
  return [
    ...(late
      ? [`The stated time: it is more than ${spanText(LATE_AFTER_MILLISECONDS)} before the attestation.`]
      : []),
    isBlind
      ? 'What it says, or that it opens.'
      : words.verdict === 'pass'
        ? 'That the words are true or came true. Read them and judge.'
        : 'The content: there are no words to check.',
    bound
      ? 'Who the author is, and who owns a key. Only the service vouches for names.'
      : 'Who wrote it: nothing here says.',
    'Description, topic, dates of opening and retraction, challenge and status. They are not in the hash.',
  ];
}
