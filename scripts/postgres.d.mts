export interface PostgresServer {
  /** of a superuser, on the database `postgres` */
  readonly url: string;
  /** the folder of the server's programs; `pgbench` is there when the system's packages brought it */
  readonly binDir: string;
  readonly dataDir: string;
  /** the server's log file */
  readonly log: string;
  /** SIGKILL to the server and all its processes at once. */
  kill9(): Promise<void>;
  /** Stops all its processes where they are: a machine that neither answers nor refuses. Ended by `kill9`. */
  freeze(): void;
  /** Makes a standby a primary; answers when it takes writes. */
  promote(): Promise<void>;
  /** Stops it in good order, and starts it again when that is done. */
  whileDown(work: () => unknown): Promise<void>;
  /** Starts it again on the same port and data, after `kill9` or a stop of its own. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL that only loopback reaches, with fsync on. It ends with `stop()`, or with this process. */
export function startPostgres(options?: {
  settings?: Record<string, string | number | boolean>;
  /** makes a copy of that one, which follows it under the name `standby` until it is promoted */
  standbyOf?: PostgresServer;
  /** insists on this one */
  port?: number;
}): Promise<PostgresServer>;
