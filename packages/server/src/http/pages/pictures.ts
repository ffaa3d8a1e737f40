// Draws preview pictures in a thread and keeps them for ten minutes, so that erased words do not stay in memory.
import { type Card, cardVersion } from '@svc/web/cards/card';
import { CARD_WORKER } from '@svc/web';
import type { DrawAnswer, DrawRequest } from '@svc/web/cards/worker';
import { singleFlight } from '../../platform/flow/coalesce.ts';
import { createWorkerQueue, type WorkerQueueOptions } from '../../platform/flow/worker-queue.ts';

const MOST_KEPT = 100;
/** Erased words must not stay in memory. */
const KEPT_MS = 10 * 60_000;

export interface Pictures {
  known(card: Card): Buffer | undefined;
  draw(card: Card, who: string): Promise<Buffer>;
  close(): Promise<void>;
}

export function createPictures(log: WorkerQueueOptions<DrawRequest>['log']): Pictures {
  const kept = new Map<string, { png: Buffer; at: number }>();
  const once = singleFlight<Buffer>();
  const queue = createWorkerQueue<DrawRequest, Extract<DrawAnswer, { png: Uint8Array }>>({
    thread: CARD_WORKER,
    what: 'pictures drawn',
    failed: () => ({
      logged: 'a preview picture could not be drawn',
      message: 'this picture cannot be drawn now',
    }),
    log,
  });
  const known = (card: Card): Buffer | undefined => kept.get(cardVersion(card))?.png;

  async function draw(card: Card, who: string): Promise<Buffer> {
    const { png: bytes } = await queue.run({ id: 0, card }, who);
    const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    forget();
    kept.set(cardVersion(card), { png, at: performance.now() });
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return png;
  }

  function forget(): void {
    for (const [version, { at }] of kept) {
      if (performance.now() - at < KEPT_MS) break;
      kept.delete(version);
    }
  }

  const forgetting = setInterval(forget, KEPT_MS / 10).unref();

  return {
    known,
    draw: async (card, who) => known(card) ?? once(cardVersion(card), () => draw(card, who)),
    async close() {
      clearInterval(forgetting);
      await queue.close();
    },
  };
}
