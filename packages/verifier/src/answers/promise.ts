import {
  anchorBy,
  hashDescription,
  isPromiseSigned,
  parsePromise,
  PromiseError,
  promiseWords,
} from '@svc/protocol';
import { type Created, isErased } from './created.ts';
import { at, fieldsOf, type Misfits } from './misfit.ts';

/**
 * Only a replay may lack the promise, because the promised text may be gone.
 * @param keys null: not compared
 */
export function checkPromiseFits(
  misfits: Misfits,
  { answer, body, replayed }: Created,
  keys: readonly string[] | null,
): void {
  const etch = fieldsOf(answer['etch']);
  const value = answer['promise'];
  if (etch['status'] === 'retracted') return misfits.equal('promise', value, null);
  if (isErased(etch['description'], { replayed })) return misfits.equal('promise', value, null);
  const read = parsed(misfits, value);
  if (read === undefined) return;
  const { promise, fields } = read;
  const { public_key: key, nonce } = promise;
  const text = misfits.within('promise.text');
  text.equal('etch_id', fields.etchId, etch['id']);
  text.equal('user_id', fields.userId, at(etch, 'author.user_id'));
  text.equal('hash', fields.hash, etch['hash']);
  text.equal('anchor_by', fields.anchorBy, lastDay(etch['created_on']));
  text.equal('description', fields.descriptionHash, hashDescription(String(etch['description'])));
  text.equal('topic', fields.topic, at(etch, 'category.id'));
  text.equal('mode', fields.mode, etch['mode']);
  text.equal('reveal_at', fields.revealAt, etch['reveal_at']);
  text.equal('challenge_id', fields.challengeId, at(etch, 'challenge.id'));
  if (nonce === undefined) misfits.add('promise.nonce', nonce, '64 lower-case hex digits');
  else text.equal('words', fields.words, promiseWords(nonce, String(body['content'])));
  if (keys !== null) misfits.need(keys.includes(key), 'promise.public_key', key, keys.join(' or '));
  const signed = `a signature by ${key} over text and path`;
  misfits.need(isPromiseSigned(promise), 'promise.signature', promise.signature, signed);
}

function parsed(misfits: Misfits, value: unknown): ReturnType<typeof parsePromise> | undefined {
  try {
    return parsePromise(value);
  } catch (error) {
    if (!(error instanceof PromiseError)) throw error;
    misfits.add('promise', value, `a promise: ${error.message}`);
    return undefined;
  }
}

const lastDay = (day: unknown): string =>
  Number.isNaN(Date.parse(String(day))) ? 'two days after created_on' : anchorBy(String(day));
