import { isQuestionTakenDown, isDescriptionTakenDown } from '@svc/protocol';
import { checkEtch } from './etch.ts';
import { at, type Fields, fieldsOf, type Misfits } from './misfit.ts';

export interface KnownChallenge {
  question: string;
  topic: string;
  reveal_at: string;
}

export interface KnownAuthor {
  userId: string;
  /** Ed25519 */
  publicKey?: string | undefined;
}

export interface Created {
  body: Fields;
  answer: Fields;
  repeated: readonly string[];
  /** same Idempotency-Key as an earlier request */
  replayed: boolean;
  author?: KnownAuthor | undefined;
  challenge?: KnownChallenge | undefined;
}

/** Taken down before the replay. */
export const isErased = (
  shown: unknown,
  { replayed }: Pick<Created, 'replayed'>,
  isTaken: (text: string) => boolean = isDescriptionTakenDown,
): boolean => replayed && typeof shown === 'string' && isTaken(shown);

/** A replay returns the record as it is now, so some fields may be gone. */
export function checkCreatedEtch(misfits: Misfits, created: Created): void {
  const { body, answer, repeated, replayed, author } = created;
  const etch = fieldsOf(answer['etch']);
  checkEtch(misfits, etch);
  misfits.same(etch, Object.fromEntries(repeated.map((name) => [name, body[name]])));
  if (body['challenge_id'] != null) checkInChallenge(misfits, etch, created);
  else
    misfits.same(etch, {
      ...(!isErased(etch['description'], created) && { description: body['description'] }),
      'category.id': body['category_id'],
      reveal_at: requestedTime(body['reveal_at']),
      challenge: null,
    });
  if (author !== undefined) misfits.same(etch, { 'author.user_id': author.userId });
  const fresh = body['mode'] === 'instant' ? 'revealed' : 'sealed';
  if (!replayed) misfits.same(etch, { status: fresh, 'chain.status': 'pending' });
  if (etch['status'] !== 'revealed') return;
  misfits.same(etch, { content: body['content'] });
  const { signature } = body;
  if (signature == null) return misfits.same(etch, { signature: null });
  misfits.same(etch, {
    'signature.value': lower(signature),
    ...(author?.publicKey !== undefined && { 'signature.public_key': author.publicKey }),
  });
}

/** Code points (docs/specification.md#limits). */
const DESCRIPTION_MAX = 140;

/** The challenge sets topic, description and reveal time. An unknown challenge is read from the answer. */
function checkInChallenge(misfits: Misfits, etch: Fields, created: Created): void {
  const { body, challenge } = created;
  misfits.same(etch, {
    'challenge.id': lower(body['challenge_id']),
    ...(challenge && {
      'challenge.question': challenge.question,
      'category.id': challenge.topic,
      reveal_at: requestedTime(challenge.reveal_at),
    }),
  });
  const question = challenge?.question ?? at(etch, 'challenge.question');
  const description = [...`Sealed answer to: ${String(question)}`].slice(0, DESCRIPTION_MAX).join('');
  if (!isErased(etch['description'], created)) misfits.same(etch, { description });
}

export function checkCreatedChallenge(misfits: Misfits, created: Created): void {
  const { body, answer, author } = created;
  const challenge = fieldsOf(answer['challenge']);
  misfits.same(challenge, {
    ...(!isErased(challenge['question'], created, isQuestionTakenDown) && { question: body['question'] }),
    'category.id': body['category_id'],
    reveal_at: requestedTime(body['reveal_at']),
    ...(author && { creator_id: author.userId }),
  });
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** UTC, cut to milliseconds (docs/specification.md#formats). */
function requestedTime(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const at = Date.parse(value.toUpperCase().replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(at) ? value : new Date(at).toISOString();
}
