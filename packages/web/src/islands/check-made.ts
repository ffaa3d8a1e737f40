import { checkAnswer, misfitWords } from '@svc/verifier/answers';

/** The sent form, by the names of the API. */
interface Sent {
  content: string;
  description: string;
  category_id: string;
  mode: string;
}

/** An etch that differs from what was sent, with the answer as evidence. */
export interface Misfitting {
  words: string;
  answer: unknown;
}

/**
 * Compares the etch at this address with what was sent. A form that is sent twice etches once, so the answer may belong to the
 * first.
 * @returns null if they are equal
 */
export async function checkMade(url: string, body: Sent): Promise<Misfitting | null> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  const answer: unknown = await response.json();
  const misfits = await checkAnswer({ operation: 'createdPage', body, answer, replayed: true }, {});
  return misfits.length === 0 ? null : { words: misfitWords(misfits), answer };
}
