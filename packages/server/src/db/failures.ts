// Turns errors of the database driver into ours, which contain no texts or salts.
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

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there, or a firewall rejects the connection',
  ECONNRESET: 'the other side closed the connection',
  EPIPE: 'the other side closed the connection',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved now: is DNS reachable?',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  ENOENT: 'the socket file does not exist',
  EACCES: 'the socket file is not readable for this user',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is signed by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is signed by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its TLS certificate is signed by an authority that is not trusted',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate names a different host',
};

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|SELF_SIGNED_|UNABLE_TO_|DEPTH_ZERO_)/;

function networkCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code, errors } = at as Error & { code?: unknown; errors?: unknown };
    if (typeof code === 'string') return code;
    if (Array.isArray(errors)) return networkCode(errors[0]);
    if (at.name === 'TimeoutError') return 'ETIMEDOUT';
  }
  return undefined;
}

export function networkCause(error: unknown): string | undefined {
  const code = networkCode(error);
  if (code === undefined) return undefined;
  const words = WORDS[code] ?? (TLS_CODE.test(code) ? 'the TLS handshake failed' : undefined);
  return words && `${words} (${code})`;
}

export interface DatabaseTarget {
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface ConnectionProblem {
  text: string;
  permanent: boolean;
}

export function connectionProblem(
  setting: string,
  target: DatabaseTarget,
  error: unknown,
): ConnectionProblem {
  const at = addressOf(target);
  const { database, user } = target;
  const permanent = (text: string): ConnectionProblem => ({ text, permanent: true });
  const passing = (text: string): ConnectionProblem => ({ text, permanent: false });
  const message = error instanceof Error ? error.message : 'failed';
  const code = networkCode(error) ?? '';

  switch (code) {
    case '3D000':
      return permanent(`database "${database}" does not exist at ${at}; create it with createdb`);
    case '28P01':
      return permanent(
        `role "${user}" cannot sign in at ${at}: the password is wrong, or the role does not exist; correct ${setting}, or create the role with createuser`,
      );
    case '28000':
      if (/role .* does not exist/.test(message))
        return permanent(
          `role "${user}" does not exist at ${at}; create it with createuser, or correct ${setting}`,
        );
      return permanent(
        `role "${user}" is rejected by ${at}: ${message}; correct pg_hba.conf there, or ${setting}`,
      );
    case '42501':
      return permanent(
        `role "${user}" may not connect to database "${database}" at ${at}; grant it CONNECT, or correct ${setting}`,
      );
    case '53300':
      return passing(
        `${at} has no free connection (${message}); raise max_connections there, or lower pool_size in DATABASE_URL or PROCESSES`,
      );
    case '57P03':
      return passing(`${at} accepts no connections now: ${message}`);
    case '25006':
      return passing(`${at}: ${message}; name a server in the right role in ${setting}`);
    case '':
    case '08P01':
      break;
    default: {
      const cause = networkCause(error);
      if (TLS_CODE.test(code))
        return permanent(
          `TLS with ${at} failed: ${cause ?? code}; name the certificate authority with sslrootcert, or correct sslmode, in ${setting}`,
        );
      return passing(`${at} cannot be reached: ${cause ?? `${message} (${code})`}`);
    }
  }
  if (/unsupported startup parameter/i.test(message))
    return permanent(
      `${at} is a pooler that rejects the settings of a session (${message}); add ?pooler=transaction to ${setting}`,
    );
  if (/does not support SSL/i.test(message))
    return permanent(`${at} has TLS off; turn ssl on there, or set sslmode=disable in ${setting}`);
  if (/password must be a string/i.test(message))
    return permanent(`${at} requires a password for role "${user}"; add one to ${setting}`);
  if (/^timeout exceeded when trying to connect/i.test(message))
    return passing(`no connection to ${at} became free in time; raise pool_size in DATABASE_URL`);
  if (/timeout/i.test(message)) return passing(`${at} does not answer; check host, port and firewall`);
  if (/^Connection terminated/i.test(message))
    return passing(`${at} closed the connection at once; check that PostgreSQL listens there`);
  return passing(`${at} cannot be reached: ${message}`);
}

function addressOf({ host, port }: DatabaseTarget): string {
  if (host.startsWith('/')) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
