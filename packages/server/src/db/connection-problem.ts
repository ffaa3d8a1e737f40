import { networkCause, networkCode, TLS_CODE } from './network-cause.ts';

export interface Target {
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface ConnectionProblem {
  text: string;
  permanent: boolean;
}

export function connectionProblem(setting: string, target: Target, error: unknown): ConnectionProblem {
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
        `${at} has no free connection (${message}); raise max_connections there, or lower DATABASE_POOL_SIZE or PROCESSES`,
      );
    case '57P03':
      return passing(`${at} accepts no connections now: ${message}`);
    case '25006':
      return passing(`${at}: ${message}; name a server in the right role in ${setting}`);
    case '':
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
  if (/does not support SSL/i.test(message))
    return permanent(`${at} has TLS off; turn ssl on there, or set sslmode=disable in ${setting}`);
  if (/password must be a string/i.test(message))
    return permanent(`${at} requires a password for role "${user}"; add one to ${setting}`);
  if (/^timeout exceeded when trying to connect/i.test(message))
    return passing(`no connection to ${at} became free in time; raise DATABASE_POOL_SIZE`);
  if (/timeout/i.test(message)) return passing(`${at} does not answer; check host, port and firewall`);
  if (/^Connection terminated/i.test(message))
    return passing(`${at} closed the connection at once; check that PostgreSQL listens there`);
  return passing(`${at} cannot be reached: ${message}`);
}

function addressOf({ host, port }: Target): string {
  if (host.startsWith('/')) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
