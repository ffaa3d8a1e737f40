import type { Receipt } from '@svc/protocol';
import { type CheckResult, exact, finding, type Verdict } from './check.ts';
import type { Verification } from './verification.ts';

export interface AuthorKey {
  key: string;
  /** null: pinned by the caller */
  listedBy: string | null;
}

export type AuthorCheck = CheckResult<'signed' | 'other-key' | 'unsigned' | 'unproven'>;

/**
 * Anyone can add a signature to unsigned words, or remove one
 * (docs/protocol.md#7-what-a-passed-check-does-not-prove).
 * @example
 * const verification = await verifyReceipt(receipt, trust, chain);
 * checkAuthor(receipt, verification, { key: keyPair.publicKey, listedBy: null }).badge; // 'signed'
 */
export function checkAuthor(
  receipt: Receipt,
  verification: Verification,
  { key, listedBy }: AuthorKey,
): AuthorCheck {
  const { signature } = receipt;
  const whose =
    listedBy === null
      ? 'the author’s key that you gave'
      : `the key that ${listedBy} lists for the account, which is not proven`;
  const found = (verdict: Verdict, badge: AuthorCheck['badge'], detail: string): AuthorCheck =>
    finding(verdict, badge, detail, [exact('Key of the author', key)]);
  if (signature === null)
    return found(
      'wait',
      'unsigned',
      'The receipt has no signature. It cannot show whether a signature was removed.',
    );
  if (signature.public_key !== key)
    return found('fail', 'other-key', `The signature is by ${signature.public_key}, not by ${whose}.`);
  return verification.checks[0].verdict === 'pass'
    ? found('pass', 'signed', `The words are signed by ${whose}.`)
    : found('wait', 'unproven', 'The words check did not pass, so the signature proves nothing.');
}
