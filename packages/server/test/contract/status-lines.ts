import { accountStatusLines } from './account-status-lines.ts';
import { etchStatusLines } from './etch-status-lines.ts';
import type { Provoking, StatusLine } from './provoking.ts';
import { scoreStatusLines } from './score-status-lines.ts';
import { webhookStatusLines } from './webhook-status-lines.ts';

/** The order matters. */
export function statusLines(given: Provoking): StatusLine[] {
  return [
    ...etchStatusLines(given),
    ...accountStatusLines(given),
    ...scoreStatusLines(given),
    ...webhookStatusLines(given),
    ['getOpenApi', 200, () => given.provoke('getOpenApi')],
  ];
}
