import type { LiveMessage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { toTime, type Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { coalesce } from '../../platform/flow/coalesce.ts';
import { sendError } from '../errors.ts';
import { idOf } from '../path-id.ts';
import { readStates, type Subject } from './states.ts';
import { type CountedPlaces, createStreams, type StreamLimits, type Streams } from './streams.ts';
import { createWatch } from './watch.ts';

export interface LiveParts {
  db: Db;
  clock: Clock;
  log: { warn(details: object, message: string): void };
  limits: StreamLimits;
  /** counts connections across processes */
  places?: CountedPlaces;
}

const KINDS = [
  { kind: 'etch', path: '/e/:id/events', none: 'there is no etch with this id' },
  { kind: 'challenge', path: '/ch/:id/events', none: 'there is no challenge with this id' },
] as const;

/** Reports only that something changed: the reports contain no content, so nothing hidden. */
export function mountLive(app: FastifyInstance, { db, clock, log, limits, places }: LiveParts): Streams {
  const watch = createWatch({ db, clock, log });
  const streams = createStreams({ watch, clock, limits, ...(places && { places }) });
  const stateOf = coalesce(
    async (subjects: readonly Subject[]) => {
      const states = await readStates({ db, clock }, subjects);
      return subjects.map((subject) => states.get(subject));
    },
    { slots: 1, most: 256 },
  );

  for (const { kind, path, none } of KINDS) {
    app.get<{ Params: { id: string } }>(path, { errorHandler: sendError }, async (request, reply) => {
      const subject: Subject = `${kind} ${idOf(request.params.id, none)}`;
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
