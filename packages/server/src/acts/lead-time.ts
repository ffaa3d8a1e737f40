import { badField, type Failure } from '../platform/failure.ts';

export function leadRefusal(revealAt: string, now: number, leadSeconds: number): Failure | undefined {
  return Date.parse(revealAt) - now < leadSeconds * 1000
    ? badField('reveal_at', `must lie at least ${leadSeconds} seconds ahead`)
    : undefined;
}
