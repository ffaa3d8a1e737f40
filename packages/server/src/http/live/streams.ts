// Server-sent events for open pages: one message for each change of a record's state.
import type { OutgoingHttpHeaders } from 'node:http';
import type { LiveMessage } from '@svc/web/live-state';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, toTime } from '../../db/clock.ts';
import { Failure, RateLimited } from '../../platform/failure.ts';
import { createKeySlots } from '../../platform/flow/shared-counts.ts';
import { addressKey } from '../rate-limits.ts';
import { createStateWatch, readStates, type WatchedRecord, type StateWatch } from './state-watch.ts';
import { coalesce } from '../../platform/flow/coalesce.ts';
import { idOf, sendError } from '../errors.ts';
import type { Config } from '../../settings/config.ts';
import type { HttpDependencies } from '../dependencies.ts';

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 15 * 60_000;
/** The service disconnects a client with more unread bytes. */
const MOST_UNREAD = 16 * 1024;
const RETRY_MS = 5_000;
const cannotListen = (): Failure =>
  new Failure('service_unavailable', 'too many pages have live updates: poll the state instead');
/** The name that counts all connections. No address equals it. */
const ALL = 'all';

/** Counts connections, of several processes too. */
interface CountedPlaces {
  /** @returns releases the slot; undefined when no slot is free */
  hold(key: string, most: number): Release | undefined | Promise<Release | undefined>;
}

type Release = () => void;

interface StreamDependencies {
  watch: StateWatch;
  clock: Clock;
  limits: Config['live'];
  places?: CountedPlaces;
}

export interface Streams {
  open(request: FastifyRequest, reply: FastifyReply, subject: WatchedRecord, state: string): Promise<void>;
  close(): void;
}

export function createStreams(deps: StreamDependencies): Streams {
  const { watch, clock, limits, places = createKeySlots() } = deps;
  const open = new Set<{ beat: () => void; end: () => void }>();
  let closed = false;
  let heartbeat: NodeJS.Timeout | undefined;

  async function hold(key: string, most: number): Promise<Release | undefined> {
    try {
      return await places.hold(key, most);
    } catch {
      throw cannotListen();
    }
  }

  async function enter(address: string): Promise<Release> {
    const most = limits.connectionsPerAddress;
    const ofAddress = await hold(address, most);
    if (!ofAddress)
      throw new RateLimited(
        `too many open pages: this address has ${most} that listen, ask for the state now and then instead`,
        most,
        RETRY_MS / 1000,
      );
    let ofAll: Release | undefined;
    try {
      if (!closed) ofAll = await hold(ALL, limits.connections);
      if (!ofAll) throw cannotListen();
    } catch (error) {
      ofAddress();
      throw error;
    }
    return () => [ofAddress, ofAll].forEach((release) => release());
  }

  return {
    async open(request, reply, subject, first) {
      if (request.raw.socket.destroyed) return;
      const { raw } = reply;
      // Behind an unfinished answer, the stream would not notice a closed connection.
      if (raw.socket === null)
        throw new Failure(
          'bad_request',
          'the previous answer on this connection has not ended: use another connection',
        );
      const leave = await enter(addressKey(request.ip));
      if (request.raw.socket.destroyed) return leave();
      void reply.hijack();
      try {
        raw.writeHead(200, {
          ...(reply.getHeaders() as OutgoingHttpHeaders),
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
          Connection: 'close',
        });
      } catch (error) {
        leave();
        throw error;
      }
      const write = (text: string): void => {
        if (raw.writableEnded || raw.writableLength > MOST_UNREAD) raw.destroy();
        else raw.write(text);
      };
      let sent: string | undefined;
      const tell = (state: string): void => {
        if (state === sent) return;
        sent = state;
        const message: LiveMessage = { state, now: toTime(clock.now()) };
        write(`event: state\ndata: ${JSON.stringify(message)}\n\n`);
      };
      const unwatch = watch.add(subject, tell);
      const stream = { beat: () => write(':\n\n'), end: () => void raw.end() };
      const longest = setTimeout(stream.end, LONGEST_MS).unref();
      open.add(stream);
      heartbeat ??= setInterval(() => open.forEach(({ beat }) => beat()), HEARTBEAT_MS).unref();
      raw.once('close', () => {
        unwatch();
        clearTimeout(longest);
        open.delete(stream);
        leave();
        if (open.size > 0) return;
        clearInterval(heartbeat);
        heartbeat = undefined;
      });
      write(`retry: ${RETRY_MS}\n\n`);
      tell(first);
    },
    close() {
      closed = true;
      open.forEach(({ end }) => end());
    },
  };
}

const KINDS = [
  { kind: 'etch', path: '/e/:id/events', none: 'there is no etch with this id' },
  { kind: 'challenge', path: '/ch/:id/events', none: 'there is no challenge with this id' },
] as const;

/** Reports only that something changed: the reports contain no content, so nothing hidden. */
export function mountLive(
  app: FastifyInstance,
  { db, clock, log, config }: HttpDependencies,
  places?: CountedPlaces,
): Streams {
  const watch = createStateWatch({ db, clock, log });
  const streams = createStreams({ watch, clock, limits: config.live, ...(places && { places }) });
  const stateOf = coalesce(
    async (subjects: readonly WatchedRecord[]) => {
      const states = await readStates({ db, clock }, subjects);
      return subjects.map((subject) => states.get(subject));
    },
    { slots: 1, most: 256 },
  );

  for (const { kind, path, none } of KINDS) {
    app.get<{ Params: { id: string } }>(path, { errorHandler: sendError }, async (request, reply) => {
      const subject: WatchedRecord = `${kind} ${idOf(request.params.id, none)}`;
      const state = await stateOf(subject);
      if (state === undefined) throw new Failure('not_found', none);
      if (request.method === 'GET' && /\btext\/event-stream\b/.test(request.headers.accept ?? '')) {
        await streams.open(request, reply, subject, state);
        return reply;
      }
      const message: LiveMessage = { state, now: toTime(clock.now()) };
      return reply.header('Cache-Control', 'no-store').header('Vary', 'Accept').send(message);
    });
  }
  // A closing server waits for open answers.
  app.addHook('preClose', async () => {
    streams.close();
    watch.close();
  });
  return streams;
}
