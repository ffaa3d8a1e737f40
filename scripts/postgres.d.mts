export interface PostgresServer {
  readonly url: string;
  /** contains `pgbench` if the system has it */
  readonly binDir: string;
  readonly dataDir: string;
  readonly log: string;
  kill9(): Promise<void>;
  /** Sends SIGSTOP, like a silent machine. End it with `kill9`. */
  freeze(): void;
  promote(): Promise<void>;
  /** Runs `work` after a clean stop. */
  whileDown(work: () => unknown): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Loopback only, fsync on; ends with this process. */
export function startPostgres(options?: {
  settings?: Record<string, string | number | boolean>;
  /** copies this server and follows it until promoted */
  standbyOf?: PostgresServer;
  port?: number;
}): Promise<PostgresServer>;
