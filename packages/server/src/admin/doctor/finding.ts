import { setTimeout as sleep } from 'node:timers/promises';
import { escapeInvisibleInLine } from '@svc/protocol';

export interface Finding {
  status: 'ok' | 'warn' | 'fail';
  detail: string;
  mend: string | null;
}

/** The page of each row: its settings and commands. */
const PAGES = {
  database: 'set-up.md',
  clock: 'recovery.md#the-clock',
  chain: 'public-chain.md',
  issuer: 'people.md',
  proxy: 'proxy.md',
  base_url: 'proxy.md',
  backups: 'backup.md',
  disk: 'monitoring.md#alerts',
  open_files: 'set-up.md',
  witnesses: 'proofs.md#witnesses',
} as const;

type Row = keyof typeof PAGES;

export interface Check extends Finding {
  name: Row;
  page: string;
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail, mend: null });
export const warn = (detail: string, mend: string): Finding => ({ status: 'warn', detail, mend });
export const fail = (detail: string, mend: string): Finding => ({ status: 'fail', detail, mend });

/** This is longer than the timeouts of the checks, so that their reasons are shown. */
const PATIENCE_MS = 30_000;

export async function bounded(
  name: Row,
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

function masked(name: Row, { status, detail, mend }: Finding): Check {
  const line = escapeInvisibleInLine(detail).replace(/(\/\/)[^/@\s]*@/g, '$1***@');
  return { name, status, detail: line, mend, page: `docs/operating/${PAGES[name]}` };
}
