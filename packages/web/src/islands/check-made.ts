import { checkAnswer, misfitWords } from '@svc/verifier/answers';

/** What a form sent, by the names of the API. */
interface Sent {
  content: string;
  description: string;
  category_id: string;
  mode: string;
}

/** An etch that is not the one that was sent, with the answer that shows so. */
export interface Misfitting {
  words: string;
  answer: unknown;
}

/**
 * Compares the etch at this address with the one that was sent. Sent twice it is etched once, so it may be an answer to the first.
 * @returns null when it is the one that was sent
 */
export async function checkMade(url: string, body: Sent): Promise<Misfitting | null> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  const answer: unknown = await response.json();
  const misfits = await checkAnswer({ operation: 'createdPage', body, answer, replayed: true }, {});
  return misfits.length === 0 ? null : { words: misfitWords(misfits), answer };
}
