// A database URL may name several servers. This finds the primary (or a standby) among them, and again after a
// failover.
import pg from 'pg';
import { DatabaseUnavailable } from './db.ts';
import { connectionProblem, type ConnectionProblem, type DatabaseTarget } from './failures.ts';

type Role = 'primary' | 'standby';

interface RoleRules {
  setting: string;
  attributes: readonly string[];
  why: string;
  readOnly: string;
  isNot: string;
}

const ROLES: Record<Role, RoleRules> = {
  primary: {
    setting: 'DATABASE_URL',
    attributes: ['read-write', 'primary'],
    why: 'the service needs the primary',
    readOnly: 'off',
    isNot: 'the server takes no writes: it is a standby, or default_transaction_read_only is on',
  },
  standby: {
    setting: 'DATABASE_READ_URL',
    attributes: ['standby', 'read-only'],
    why: 'the service needs a standby there',
    readOnly: 'on',
    isNot: 'the server takes writes: it is no standby',
  },
};

const NOT_A_URL =
  'must be a postgres:// URL; percent-encode special characters before the host (/ is %2F, # is %23, @ is %40)';
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * One URL for each server of `postgres://user@one:5432,two:5432/name`. @throws Error without any part of the URL
 */
export function databaseUrls(text: string, role: Role = 'primary'): string[] {
  const [, scheme, user, servers, rest] =
    /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text) ?? [];
  if (scheme === undefined || servers === undefined) throw new Error(NOT_A_URL);
  return servers.split(',').map((server) => {
    const url = `${scheme}${user}${server}${rest}`;
    if (!URL.canParse(url)) throw new Error(NOT_A_URL);
    return withoutSessionAttributes(url, role);
  });
}

function withoutSessionAttributes(url: string, role: Role): string {
  const parsed = new URL(url);
  const sslMode = parsed.searchParams.get('sslmode');
  if (sslMode !== null && !SSL_MODES.includes(sslMode))
    throw new Error(`has an unknown sslmode; use one of ${SSL_MODES.join(', ')}`);
  const wanted = parsed.searchParams.get('target_session_attrs');
  if (wanted === null) return url;
  const { attributes, why } = ROLES[role];
  if (!attributes.includes(wanted))
    throw new Error(`must have no target_session_attrs but ${attributes[0]}: ${why}`);
  parsed.searchParams.delete('target_session_attrs');
  return parsed.href;
}

export class WrongServer extends Error {
  override name = 'WrongServer';
  readonly code = '25006';
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

const CHECK_MS = 5_000;

export class Servers {
  readonly #urls: readonly string[];
  readonly #role: Role;
  #found: number | undefined;
  #next = 0;
  readonly #of = new WeakMap<object, number>();
  readonly #targets = new WeakMap<object, DatabaseTarget>();

  constructor(urls: readonly string[], role: Role = 'primary') {
    this.#urls = urls;
    this.#role = role;
  }

  get count(): number {
    return this.#urls.length;
  }

  /** Each client of the pool connects to the next server. */
  client(): typeof pg.Client {
    // oxlint-disable-next-line typescript/no-this-alias
    const servers = this;
    return class extends pg.Client {
      constructor(options?: string | pg.ClientConfig) {
        const at = servers.#next;
        super(withUrl(servers.#urls[at]!, options as pg.ClientConfig));
        servers.#of.set(this, at);
        // Without a listener, a close by an idle server would end the process. The next statement fails.
        this.on('error', () => {});
      }

      override connect(): Promise<pg.Client>;
      override connect(callback: Connected): void;
      override connect(callback?: Connected): Promise<pg.Client> | void {
        if (!callback) return super.connect();
        super.connect((error: Error | null, client?: pg.Client) => {
          if (error) servers.#failed(this, error);
          (callback as (error: Error | null, client?: pg.Client) => void)(error, client);
        });
      }
    };
  }

  async check(client: pg.ClientBase): Promise<void> {
    try {
      const statement = { text: 'show transaction_read_only', query_timeout: CHECK_MS };
      const { rows } = await client.query<{ transaction_read_only: string }>(statement);
      const { readOnly, isNot } = ROLES[this.#role];
      if (rows[0]?.transaction_read_only !== readOnly) throw new WrongServer(isNot);
    } catch (error) {
      this.#failed(client, error);
      throw error;
    }
    this.#found = this.#next = this.#of.get(client)!;
  }

  isStale(client: object): boolean {
    return this.#found !== undefined && this.#of.get(client) !== this.#found;
  }

  unavailable(errors: readonly unknown[]): DatabaseUnavailable {
    const { setting } = ROLES[this.#role];
    const problems = errors.map((error): ConnectionProblem => {
      const target = this.#targetOf(error);
      return connectionProblem(setting, target, error);
    });
    const texts = [...new Set(problems.map(({ text }) => text))];
    return new DatabaseUnavailable('the database cannot be reached', {
      reason: `${setting}: ${texts.join('; ')}`,
      permanent: problems.every(({ permanent }) => permanent),
    });
  }

  /** The pool wraps some errors. */
  #targetOf(error: unknown): DatabaseTarget {
    for (const one of [error, (error as { cause?: unknown } | undefined)?.cause]) {
      const found = typeof one === 'object' && one !== null ? this.#targets.get(one) : undefined;
      if (found) return found;
    }
    return targetOf(new pg.Client({ connectionString: this.#urls[this.#next]! }));
  }

  #failed(client: object, error: unknown): void {
    if (typeof error === 'object' && error !== null) this.#targets.set(error, targetOf(client as pg.Client));
    const at = this.#of.get(client)!;
    if (this.#next === at) this.#next = (at + 1) % this.#urls.length;
  }
}

/** The driver would let `options` of the URL replace ours, without which values have other forms. */
function withUrl(connectionString: string, config: pg.ClientConfig): pg.ClientConfig {
  const url = new URL(connectionString);
  const own = url.searchParams.get('options');
  if (own === null) return { ...config, connectionString };
  url.searchParams.delete('options');
  return { ...config, connectionString: url.href, options: `${own} ${config.options ?? ''}` };
}

const targetOf = ({ host, port, user = '', database = '' }: pg.Client): DatabaseTarget => ({
  host,
  port,
  user,
  database,
});

const PATIENCE_MS = 5_000;

/** A pooler such as PgBouncer sends its own process id, and rejects startup options. */
export async function isPooled(url: string): Promise<boolean> {
  let reason: unknown;
  for (const connectionString of databaseUrls(url)) {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const { processID } = client as unknown as { processID: number };
      return rows[0]?.pid !== processID;
    } catch (error) {
      reason = error;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw reason;
}
