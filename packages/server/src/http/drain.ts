import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Connections that the system took while we were busy are let in before the door closes, or they would be cut. */
const BACKLOG_MS = 100;
const DRAIN_MS = 2_000;
/** What is not answered after that much more is cut: a client that sends slowly, or never, must not keep us from closing. */
const CUT_MS = 5_000;

export interface Drain {
  isDraining(): boolean;
  /** Stops accepting, tells open connections to close, lets what is under way end. */
  stop(): Promise<void>;
}

/**
 * A graceful stop: a keep-alive connection must not be cut while a request is on its way through it, so each is
 * told `Connection: close` with its next answer, and only what stays idle after that is closed. Answers that would never
 * end by themselves are ended by `whenDraining`.
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
      // The plain server's close stops listening; the HTTP server's own would also end idle connections at once.
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
