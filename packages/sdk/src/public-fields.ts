import type { Etch } from '@svc/contract/types';
import type { PublicFields } from '@svc/protocol';

/**
 * The fields that a promise covers.
 * @example
 * publicFieldsOf(etch).topic; // 'science'
 */
export const publicFieldsOf = ({
  description,
  category,
  mode,
  reveal_at,
  challenge,
}: Etch): PublicFields => ({
  description,
  topic: category.id,
  mode,
  revealAt: reveal_at,
  challengeId: challenge?.id ?? null,
});
