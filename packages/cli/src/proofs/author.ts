import { ApiError, ConnectionError } from '@svc/sdk';
import { checkAuthor } from '@svc/verifier';
import { read } from '../command.ts';
import { publicKey } from '../options.ts';
import { clientWithoutKey, orFallback } from '../service-requests.ts';
import type { Proof } from './proof.ts';

const options = {
  '--author-key <hex>': read(
    publicKey,
    'the author’s public key that you trust; check that it signed the words',
  ),
};

/** By that key, else by the one that a pinned service lists. Null: no trusted source names a key. */
export const author: Proof<typeof options> = {
  field: 'author',
  title: 'The author',
  options,
  async check({ receipt, evidence, origin, known: { pin }, verification }, { authorKey, offline }) {
    if (authorKey !== undefined)
      return checkAuthor(receipt, verification, { key: authorKey, listedBy: null });
    // Evidence is checked without the service.
    const isListed = pin !== null && evidence === null && origin !== null;
    if (!isListed || offline || receipt.signature === null) return null;
    const listed = clientWithoutKey(origin)
      .record(receipt.author.username, { limit: 1 })
      .first()
      .then(({ user: { user_id, public_key: key } }) =>
        user_id === receipt.author.user_id && key !== null
          ? checkAuthor(receipt, verification, { key, listedBy: origin })
          : null,
      );
    return orFallback(listed, null, [ApiError, ConnectionError, TypeError]);
  },
};
