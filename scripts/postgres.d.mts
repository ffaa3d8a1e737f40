export interface PostgresServer {
  /** superuser */
  readonly url: string;
  /** with `pgbench` if the system has it */
  readonly binDir: string;
  readonly dataDir: string;
  readonly log: string;
  /** With all its processes. */
  kill9(): Promise<void>;
  /** SIGSTOP, like a silent machine. End it with `kill9`. */
  freeze(): void;
  /** Until it accepts writes. */
  promote(): Promise<void>;
  /** After a clean stop. */
  whileDown(work: () => unknown): Promise<void>;
  /** Same port and data. */
  restart(): Promise<void>;
  /** And removes its files. */
  stop(): Promise<void>;
}

/** Loopback only, fsync on; ends with this process. */
export function startPostgres(options?: {
  settings?: Record<string, string | number | boolean>;
  /** copies and follows it until promoted */
  standbyOf?: PostgresServer;
  port?: number;
}): Promise<PostgresServer>;
