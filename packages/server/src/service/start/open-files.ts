// Limits connections by the open files that the process may have.
import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** Idle, the embedded database has about 300 files open, and a service on PostgreSQL about 60 with its connections. */
const RESERVED = { embedded: 448, postgres: 128 };
const FEW_CONNECTIONS = 64;
const USUAL = 1024;

export interface OpenFiles {
  /** more connections would take the files that the service itself needs; undefined: no limit is known */
  connections: number | undefined;
  status: 'ok' | 'warn' | 'fail';
  detail: string;
  mend: string;
}

export function judgeOpenFiles(limit: number | undefined, { embedded }: { embedded: boolean }): OpenFiles {
  const mend = 'raise the limit: LimitNOFILE= in systemd, ulimits in Compose, ulimit -n in a shell';
  if (limit === undefined) return { connections: undefined, status: 'ok', detail: 'no limit is known', mend };
  const reserved = embedded ? RESERVED.embedded : RESERVED.postgres;
  const connections = Math.max(0, limit - reserved);
  const least = reserved + FEW_CONNECTIONS;
  const can = `a process of this user may have ${limit} files and connections open`;
  if (connections < FEW_CONNECTIONS) {
    const who = embedded ? 'a service with the embedded database' : 'the service';
    return { connections, status: 'fail', detail: `${can}, and ${who} needs ${least}`, mend };
  }
  const detail = `${can}, so a process of the service accepts at most ${connections} connections`;
  return { connections, status: limit < USUAL ? 'warn' : 'ok', detail, mend };
}

/** Without a limit, connections take the files that the database, the chain and the tasks need. */
export function limitConnections(server: Server, most: number | undefined, log: Logger): void {
  if (most === undefined) return;
  server.maxConnections = most;
  // One line: a flood of connections must not become a flood of lines.
  server.once('drop', () =>
    log.warn(
      `${most} connections are open, and new connections are dropped: raise the limit of open files, or let a proxy reuse connections`,
    ),
  );
}
