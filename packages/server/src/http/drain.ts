// Closes connections at a stop without cutting a request.
import net from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The system's backlog still contains connections to accept. */
const BACKLOG_MS = 100;
const DRAIN_MS = 2_000;
const CUT_MS = 5_000;

export interface Drain {
  isDraining(): boolean;
  stop(): Promise<void>;
}

const SHORT_MS = 1;
const MOST_TURNS = 200;

/**
 * Each turn of the event loop accepts what waits. Closing the port resets the connections that arrived since, so it
 * closes after a short turn.
 */
async function shortTurn(): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const began = performance.now();
    await nextTurn();
    if (turn > 0 && performance.now() - began < SHORT_MS) return;
  }
}

/** Closes only connections that stay idle, so that no request is cut. `whenDraining` ends endless answers. */
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
      await shortTurn();
      // The HTTP server's own `close` would also end idle connections.
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
