import type { OutgoingHttpHeaders } from 'node:http';
import type { LiveMessage } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, toTime } from '../../db/clock.ts';
import { Failure, RateLimited } from '../../errors/failure.ts';
import { createKeySlots } from '../../flow/key-slots.ts';
import { addressKey } from '../address.ts';
import type { Subject } from './states.ts';
import type { Watch } from './watch.ts';

/** Proxies and the server itself close what is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** A reader's browser opens a stream anew by itself: none stays for ever. */
const LONGEST_MS = 15 * 60_000;
/** A reader that takes nothing in is let go. */
const MOST_UNREAD = 16 * 1024;
const RETRY_MS = 5_000;
const cannotListen = (): Failure =>
  new Failure('service_unavailable', 'no more pages can listen now: ask for the state now and then instead');
/** The key of all places together: no address. */
const ALL = 'all';

export interface StreamLimits {
  connections: number;
  connectionsPerAddress: number;
}

/** Where places are counted: here, or for several processes together. */
export interface CountedPlaces {
  /** @returns how to release the place; undefined when none is free */
  hold(key: string, most: number): Release | undefined | Promise<Release | undefined>;
}

type Release = () => void;

export interface StreamParts {
  watch: Watch;
  clock: Clock;
  limits: StreamLimits;
  places?: CountedPlaces;
}

export interface Streams {
  /**
   * Answers with server-sent events, `state` first, until either side ends it.
   * @throws Failure when there are too many, or it cannot be sent yet
   */
  open(request: FastifyRequest, reply: FastifyReply, subject: Subject, state: string): Promise<void>;
  /** Ends all of them, for the service stops. */
  close(): void;
}

/** Streams to open pages, bounded in all and for each address. */
export function createStreams(parts: StreamParts): Streams {
  const { watch, clock, limits, places = createKeySlots() } = parts;
  const open = new Set<{ beat: () => void; end: () => void }>();
  let closed = false;
  let heartbeat: NodeJS.Timeout | undefined;

  /** @throws Failure when the places cannot be counted now */
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
      // Behind an answer that has not ended it would be written to nobody, and would not hear that the reader is gone.
      if (raw.socket === null)
        throw new Failure(
          'bad_request',
          'the answer before this one has not ended: ask on a connection apart',
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
          // Nothing else is sent through it once it ended, so that a stop need not wait for it.
          Connection: 'close',
        });
      } catch (error) {
        leave();
        throw error;
      }
      const write = (text: string): void => {
        // What has ended waits for a reader that takes nothing in; to write to it would be a fault of ours.
        if (raw.writableEnded || raw.writableLength > MOST_UNREAD) raw.destroy();
        else raw.write(text);
      };
      let told: string | undefined;
      const tell = (state: string): void => {
        if (state === told) return;
        told = state;
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
