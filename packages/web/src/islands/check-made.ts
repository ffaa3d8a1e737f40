import { checkAnswer, misfitWords } from '@svc/verifier/answers';

/** The sent form of an etch or of a challenge, by the names of the API. Dates are in UTC, with or without their zone. */
export type Sent = Readonly<Record<string, string>>;

/** A record that differs from what was sent, with the answer as evidence. */
export interface Misfitting {
  words: string;
  answer: unknown;
}

/**
 * Compares the record at this address with what was sent. A form that is sent twice creates one record, so the answer may belong
 * to the first.
 * @returns null if they are equal
 */
export async function checkMade(url: string, sent: Sent): Promise<Misfitting | null> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  const answer: unknown = await response.json();
  const operation = 'question' in sent ? 'askedPage' : 'createdPage';
  const misfits = await checkAnswer({ operation, body: bodyOf(sent), answer, replayed: true }, {});
  return misfits.length === 0 ? null : { words: misfitWords(misfits), answer };
}

/** A form sends an empty field where a request leaves the field out. */
function bodyOf({ reveal_at: opens = '', ...sent }: Sent): Record<string, string> {
  if (opens === '' || sent['mode'] === 'instant') return sent;
  return { ...sent, reveal_at: /z$/i.test(opens) ? opens : `${opens}Z` };
}
