import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long connections in the system's backlog are still accepted; closing at once would cut them. */
const BACKLOG_MS = 100;
const DRAIN_MS = 2_000;
/** How much longer unfinished answers may take. After that they are cut, so that a slow client cannot keep the process open. */
const CUT_MS = 5_000;

export interface Drain {
  isDraining(): boolean;
  /** Stops listening, asks clients to close their connections, and lets current requests finish. */
  stop(): Promise<void>;
}

/**
 * A graceful stop. A keep-alive connection must not be cut while a request is on its way, so the next answer on each carries `Connection:
 * close`, and only connections that stay idle after that are closed. `whenDraining` ends answers that would never end on their own.
 */
export function addDrain(app: FastifyInstance, whenDraining = (): void => {}, cutMs = CUT_MS): Drain {
  let draining = false;
  const sockets = new Set<net.Socket>();
  app.server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) void reply.header('Connection', 'close');
    done();
  });
  return {
    isDraining: () => draining,
    async stop() {
      draining = true;
      whenDraining();
      await sleep(BACKLOG_MS);
      // The plain server's close stops listening; the HTTP server's close would also end idle connections at once.
      if (app.server.listening) net.Server.prototype.close.call(app.server);
      const until = Date.now() + DRAIN_MS;
      while (sockets.size > 0 && Date.now() < until) await sleep(20);
      app.server.closeIdleConnections();
      const cut = setTimeout(() => app.server.closeAllConnections(), cutMs);
      await app.close();
      clearTimeout(cut);
    },
  };
}
