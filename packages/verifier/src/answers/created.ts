import { isTakenDown } from '@svc/protocol';
import { checkEtch } from './etch.ts';
import { type Fields, fieldsOf, type Misfits } from './misfit.ts';

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
  /** same Idempotency-Key as an earlier request */
  replayed: boolean;
  author?: KnownAuthor | undefined;
  challenge?: KnownChallenge | undefined;
}

/** A replay returns the record as it is now, so some fields may be gone. */
export function checkCreatedEtch(misfits: Misfits, created: Created): void {
  const { body, answer, replayed, author } = created;
  const etch = fieldsOf(answer['etch']);
  checkEtch(misfits, etch);
  misfits.equal('mode', etch['mode'], body['mode']);
  if (body['challenge_id'] == null) checkAlone(misfits, etch, created);
  else checkInChallenge(misfits, etch, created);
  if (author !== undefined)
    misfits.equal('author.user_id', fieldsOf(etch['author'])['user_id'], author.userId);
  const fresh = body['mode'] === 'instant' ? 'revealed' : 'sealed';
  if (!replayed) {
    misfits.equal('status', etch['status'], fresh);
    misfits.equal('chain.status', fieldsOf(etch['chain'])['status'], 'pending');
  }
  if (etch['status'] !== 'revealed') return;
  misfits.equal('content', etch['content'], body['content']);
  checkSignature(misfits, etch, body['signature'], author);
}

function checkAlone(misfits: Misfits, etch: Fields, created: Created): void {
  const { body } = created;
  if (!isErased(etch['description'], created))
    misfits.equal('description', etch['description'], body['description']);
  misfits.equal('category.id', fieldsOf(etch['category'])['id'], body['category_id']);
  misfits.equal('reveal_at', etch['reveal_at'], requestedTime(body['reveal_at']));
  misfits.equal('challenge', etch['challenge'], null);
}

/** Taken down before the replay. */
export const isErased = (shown: unknown, { replayed }: Pick<Created, 'replayed'>): boolean =>
  replayed && typeof shown === 'string' && isTakenDown(shown);

/** Code points (docs/specification.md#limits). */
const DESCRIPTION_MAX = 140;

/** The challenge sets topic, description and reveal time. An unknown challenge is read from the answer. */
function checkInChallenge(misfits: Misfits, etch: Fields, created: Created): void {
  const { body, challenge } = created;
  const shown = fieldsOf(etch['challenge']);
  misfits.equal('challenge.id', shown['id'], lower(body['challenge_id']));
  if (challenge !== undefined) {
    misfits.equal('challenge.question', shown['question'], challenge.question);
    misfits.equal('category.id', fieldsOf(etch['category'])['id'], challenge.topic);
    misfits.equal('reveal_at', etch['reveal_at'], requestedTime(challenge.reveal_at));
  }
  const question = challenge?.question ?? shown['question'];
  const description = [...`Sealed answer to: ${String(question)}`].slice(0, DESCRIPTION_MAX).join('');
  if (!isErased(etch['description'], created)) misfits.equal('description', etch['description'], description);
}

function checkSignature(
  misfits: Misfits,
  etch: Fields,
  sent: unknown,
  author: KnownAuthor | undefined,
): void {
  if (sent == null) return misfits.equal('signature', etch['signature'], null);
  const shown = fieldsOf(etch['signature']);
  misfits.equal('signature.value', shown['value'], lower(sent));
  if (author?.publicKey !== undefined)
    misfits.equal('signature.public_key', shown['public_key'], author.publicKey);
}

export function checkCreatedChallenge(misfits: Misfits, created: Created): void {
  const { body, answer, author } = created;
  const challenge = fieldsOf(answer['challenge']);
  if (!isErased(challenge['question'], created))
    misfits.equal('question', challenge['question'], body['question']);
  misfits.equal('category.id', fieldsOf(challenge['category'])['id'], body['category_id']);
  misfits.equal('reveal_at', challenge['reveal_at'], requestedTime(body['reveal_at']));
  if (author !== undefined) misfits.equal('creator_id', challenge['creator_id'], author.userId);
}

export function checkChallengeUrl(misfits: Misfits, { answer }: Pick<Created, 'answer'>): void {
  const { id, url } = fieldsOf(answer['challenge']);
  misfits.address('url', url, `/ch/${String(id)}`);
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** UTC, cut to milliseconds (docs/specification.md#formats). */
function requestedTime(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const at = Date.parse(value.toUpperCase().replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(at) ? value : new Date(at).toISOString();
}
