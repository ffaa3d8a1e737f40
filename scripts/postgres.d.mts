export interface PostgresServer {
  /** superuser, database `postgres` */
  readonly url: string;
  /** folder of the server's programs, with `pgbench` if the system's packages have it */
  readonly binDir: string;
  readonly dataDir: string;
  /** the server's log file */
  readonly log: string;
  /** Sends SIGKILL to the server and all its processes. */
  kill9(): Promise<void>;
  /** Pauses all its processes (SIGSTOP), like a machine that does not answer. End it with `kill9`. */
  freeze(): void;
  /** Promotes a standby; resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Stops it cleanly and starts it again. */
  whileDown(work: () => unknown): Promise<void>;
  /** Starts it again on the same port and data, after `kill9` or a clean stop. */
  restart(): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL that listens on loopback only, with fsync on. It ends with `stop()` or with this process. */
export function startPostgres(options?: {
  settings?: Record<string, string | number | boolean>;
  /** copies that server and follows it as `standby` until it is promoted */
  standbyOf?: PostgresServer;
  /** requires this port */
  port?: number;
}): Promise<PostgresServer>;
