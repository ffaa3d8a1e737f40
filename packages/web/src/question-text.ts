import { parseQuestion } from '@svc/protocol/conventions';

/** A question without its brackets. */
export function questionText(question: string): string {
  return parseQuestion(question).asks === 'text'
    ? question
    : question.replace(/\s*\[[^[\]]*\]\s*$/, '') || question;
}
