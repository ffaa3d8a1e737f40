import { accountStatusLines } from './account-status-lines.ts';
import { etchStatusLines } from './etch-status-lines.ts';
import type { Provoking, StatusLine } from './provoking.ts';
import { scoreStatusLines } from './score-status-lines.ts';
import { webhookStatusLines } from './webhook-status-lines.ts';

/** What each operation has of its own: a status, and what provokes it; in this order, for they build on one another. */
export function statusLines(given: Provoking): StatusLine[] {
  return [
    ...etchStatusLines(given),
    ...accountStatusLines(given),
    ...scoreStatusLines(given),
    ...webhookStatusLines(given),
    ['getOpenApi', 200, () => given.provoke('getOpenApi')],
  ];
}
