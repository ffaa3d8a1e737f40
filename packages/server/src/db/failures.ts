import { DatabaseUnavailable, StatementFailed, UniqueViolation } from './db.ts';

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
]);
const UNREACHABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool)/i;

/**
 * The driver's error may contain texts and salts. Keeps its code, and its message only if the statement itself is
 * wrong.
 */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const { code, constraint } = error as Error & { code?: string; constraint?: string };
  if (code === '23505') return new UniqueViolation(constraint ?? 'unknown');
  if (isUnreachable(error)) return new DatabaseUnavailable('the database cannot be reached');
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) {
    return new StatementFailed(code, code.startsWith('42') ? error.message : (constraint ?? 'see the code'));
  }
  return error;
}

export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as Error & { code?: string }).code ?? '';
  return UNREACHABLE_CODES.has(code) || code.startsWith('08') || UNREACHABLE_MESSAGES.test(error.message);
}
