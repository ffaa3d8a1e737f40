import { parseQuestion, parseSettleRule, type SettleRule } from '@svc/protocol/conventions';

/** Leaves out brackets and the rule, which the challenge's page shows. */
export function questionText(question: string): string {
  if (parseQuestion(question).asks === 'text') return question;
  const asked = question.replace(/\s*\[[^[\]]*\]\s*$/, '');
  const words = ruleOf(question) === null ? asked : asked.replace(/(?:^|\s+)settles-by:.*$/s, '');
  return words || question;
}

/** Null also for a malformed rule, which settles nothing. */
export function ruleOf(question: string): SettleRule | null {
  try {
    return parseSettleRule(question);
  } catch {
    return null;
  }
}
