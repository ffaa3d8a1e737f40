import type { Receipt } from '@svc/protocol';
import { ApiError, ConnectionError } from '@svc/sdk';
import { type AuthorCheck, checkAuthor, type Verification } from '@svc/verifier';
import { strangerAt } from './ask-service.ts';

/** The pinned key, else the one that a pinned service lists. Null: no trusted source names a key. */
export async function findAuthor({
  receipt,
  verification,
  options,
  origin,
}: {
  receipt: Receipt;
  verification: Verification;
  options: { authorKey?: string; offline: boolean };
  origin: string | null;
}): Promise<AuthorCheck | null> {
  if (options.authorKey !== undefined)
    return checkAuthor(receipt, verification, { key: options.authorKey, listedBy: null });
  if (origin === null || options.offline || receipt.signature === null) return null;
  try {
    const { user } = await strangerAt(origin).record(receipt.author.username, { limit: 1 }).first();
    const isAccount = user.user_id === receipt.author.user_id && user.public_key !== null;
    return isAccount ? checkAuthor(receipt, verification, { key: user.public_key!, listedBy: origin }) : null;
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError || error instanceof TypeError)
      return null;
    throw error;
  }
}
