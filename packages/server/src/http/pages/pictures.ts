import { Worker } from 'node:worker_threads';
import { type Card, CARD_WORKER, cardVersion, type DrawAnswer, type DrawRequest } from '@svc/web';
import { Failure } from '../../platform/failure.ts';

/** Fonts and renderer use a hundred megabytes, so an idle thread ends. */
const IDLE_MS = 60_000;
const LONGEST_MS = 15_000;
const MOST_WAITING = 32;
const MOST_KEPT = 100;
/** Erased words must not stay in memory. */
const KEPT_MS = 10 * 60_000;

export interface Pictures {
  known(card: Card): Buffer | undefined;
  draw(card: Card): Promise<Buffer>;
  close(): Promise<void>;
}

interface Drawing {
  card: Card;
  version: string;
  promise: Promise<Buffer>;
  resolve: (png: Buffer) => void;
  reject: (error: Error) => void;
}

export function createPictures(log: { warn(details: object, message: string): void }): Pictures {
  const kept = new Map<string, { png: Buffer; at: number }>();
  const waiting = new Map<string, Drawing>();
  let worker: Worker | undefined;
  let current: Drawing | undefined;
  let limit: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  function next(): void {
    if (current) return;
    clearTimeout(idle);
    const [drawing] = waiting.values();
    if (!drawing) {
      idle = setTimeout(() => void endWorker(), IDLE_MS).unref();
      return;
    }
    current = drawing;
    worker ??= startWorker();
    worker.ref();
    limit = setTimeout(() => giveUp('it took too long'), LONGEST_MS).unref();
    worker.postMessage({ id: 0, card: drawing.card } satisfies DrawRequest);
  }

  function settle(end: (drawing: Drawing) => void): void {
    clearTimeout(limit);
    const drawing = current;
    current = undefined;
    if (!drawing) return;
    waiting.delete(drawing.version);
    end(drawing);
    worker?.unref();
    next();
  }

  function giveUp(reason: string): void {
    log.warn({ reason }, 'a preview picture could not be drawn');
    void endWorker();
    settle(({ reject }) => reject(new Failure('service_unavailable', 'this picture cannot be drawn now')));
  }

  function startWorker(): Worker {
    // The worker gets no settings, because some are secret.
    const started = new Worker(CARD_WORKER, { env: {}, execArgv: [] });
    started.on('message', (answer: DrawAnswer) => {
      if (started !== worker) return;
      if ('failure' in answer) return giveUp(answer.failure);
      const png = Buffer.from(answer.png.buffer, answer.png.byteOffset, answer.png.byteLength);
      settle((drawing) => {
        keep(drawing.version, png);
        drawing.resolve(png);
      });
    });
    started.on('error', (error: Error) => started === worker && giveUp(error.message));
    return started;
  }

  async function endWorker(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  function keep(version: string, png: Buffer): void {
    forget();
    kept.set(version, { png, at: performance.now() });
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
  }

  function forget(): void {
    for (const [version, { at }] of kept) {
      if (performance.now() - at < KEPT_MS) break;
      kept.delete(version);
    }
  }

  const forgetting = setInterval(forget, KEPT_MS / 10).unref();

  return {
    known: (card) => kept.get(cardVersion(card))?.png,
    async draw(card) {
      const version = cardVersion(card);
      const before = kept.get(version)?.png ?? waiting.get(version)?.promise;
      if (before) return before;
      if (waiting.size >= MOST_WAITING)
        throw new Failure('service_unavailable', 'too many pictures wait to be drawn: try again');
      const drawing = { card, version } as Drawing;
      drawing.promise = new Promise((resolve, reject) => Object.assign(drawing, { resolve, reject }));
      waiting.set(version, drawing);
      next();
      return drawing.promise;
    },
    async close() {
      clearInterval(forgetting);
      clearTimeout(idle);
      clearTimeout(limit);
      for (const { reject } of waiting.values())
        reject(new Failure('service_unavailable', 'the service stops'));
      waiting.clear();
      current = undefined;
      await endWorker();
    },
  };
}
