import { REPEATED_INPUTS } from '@svc/contract/tables';
import { checkAnswer, misfitWords } from '@svc/verifier/answers';

export type SentFields = Readonly<Record<string, string>>;

export interface CreatedMisfit {
  words: string;
  answer: unknown;
}

/**
 * A form that is sent twice creates one record, so the answer may belong to the first request. @returns null if
 * equal
 */
export async function checkCreated(url: string, sent: SentFields): Promise<CreatedMisfit | null> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  const answer: unknown = await response.json();
  const operation = 'question' in sent ? 'askedPage' : 'createdPage';
  const exchange = { operation, body: bodyOf(sent), answer, repeated: REPEATED_INPUTS, replayed: true };
  const misfits = await checkAnswer(exchange, {});
  return misfits.length === 0 ? null : { words: misfitWords(misfits), answer };
}

/** The request that the service makes of the form: blank fields are absent, and a challenge sets mode and time. */
function bodyOf(sent: SentFields): Record<string, string> {
  const { reveal_at: opens, ...fields } = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value.trim() !== ''),
  );
  if (fields['challenge_id'] !== undefined) return { ...fields, mode: 'delayed' };
  if (opens === undefined || fields['mode'] === 'instant') return fields;
  return { ...fields, reveal_at: /z$/i.test(opens) ? opens : `${opens}Z` };
}
