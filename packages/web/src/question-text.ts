import { parseQuestion } from '@svc/protocol/conventions';

/** A question as a reader sees it: without the brackets that say what it asks for. */
export function questionText(question: string): string {
  return parseQuestion(question).asks === 'text'
    ? question
    : question.replace(/\s*\[[^[\]]*\]\s*$/, '') || question;
}
