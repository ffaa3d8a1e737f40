import { setTimeout as sleep } from 'node:timers/promises';
import { escapeInvisibleInLine } from '@svc/protocol';

export interface Finding {
  status: 'ok' | 'warn' | 'fail';
  detail: string;
  mend: string | null;
}

export interface Check extends Finding {
  name: string;
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail, mend: null });
export const warn = (detail: string, mend: string): Finding => ({ status: 'warn', detail, mend });
export const fail = (detail: string, mend: string): Finding => ({ status: 'fail', detail, mend });

/** This is longer than the timeouts of the checks, so that their reasons are shown. */
const PATIENCE_MS = 30_000;

export async function bounded(
  name: string,
  look: () => Promise<Finding>,
  patienceMs = PATIENCE_MS,
): Promise<Check> {
  const late = fail(`no answer within ${patienceMs / 1000} s`, 'check the network and the other side');
  try {
    return masked(name, await Promise.race([look(), sleep(patienceMs, late, { ref: false })]));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'failed';
    return masked(name, fail(message, 'correct what the message names'));
  }
}

function masked(name: string, { status, detail, mend }: Finding): Check {
  const line = escapeInvisibleInLine(detail).replace(/(\/\/)[^/@\s]*@/g, '$1***@');
  return { name, status, detail: line, mend };
}
