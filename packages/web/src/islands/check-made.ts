import { checkAnswer, misfitWords } from '@svc/verifier/answers';

export type Sent = Readonly<Record<string, string>>;

export interface Misfitting {
  words: string;
  answer: unknown;
}

/**
 * A form that is sent twice creates one record, so the answer may belong to the first request. @returns null if
 * equal
 */
export async function checkMade(url: string, sent: Sent): Promise<Misfitting | null> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  const answer: unknown = await response.json();
  const operation = 'question' in sent ? 'askedPage' : 'createdPage';
  const misfits = await checkAnswer({ operation, body: bodyOf(sent), answer, replayed: true }, {});
  return misfits.length === 0 ? null : { words: misfitWords(misfits), answer };
}

function bodyOf({ reveal_at: opens = '', ...sent }: Sent): Record<string, string> {
  if (opens === '' || sent['mode'] === 'instant') return sent;
  return { ...sent, reveal_at: /z$/i.test(opens) ? opens : `${opens}Z` };
}
