import { parseQuestion, parseSettleRule, type SettleRule } from '@svc/protocol/conventions';

/** Without brackets, and without the rule, which the page of the challenge shows. */
export function questionText(question: string): string {
  if (parseQuestion(question).asks === 'text') return question;
  const asked = question.replace(/\s*\[[^[\]]*\]\s*$/, '');
  const words = ruleOf(question) === null ? asked : asked.replace(/(?:^|\s+)settles-by:.*$/s, '');
  return words || question;
}

/** The rule that settles the question; null also for a malformed one, which settles nothing. */
export function ruleOf(question: string): SettleRule | null {
  try {
    return parseSettleRule(question);
  } catch {
    return null;
  }
}
