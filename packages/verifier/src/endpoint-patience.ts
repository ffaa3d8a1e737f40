import type { EndpointFault } from './json-rpc.ts';

/** Whether it helps to ask an endpoint later or otherwise. */
export function kindOf({ kind, response }: EndpointFault): EndpointFault['kind'] {
  return response !== null && (response.status === 429 || response.status >= 500) ? 'busy' : kind;
}

/** How long it asks to be left alone, in milliseconds, or null. */
export function pauseOf({ response }: EndpointFault): number | null {
  const seconds = response?.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** Did nobody listen there? Of all runtimes Node.js alone tells this apart. */
export const isConnectionRefused = (error: unknown): boolean =>
  (error as { cause?: { code?: unknown } } | null)?.cause?.code === 'ECONNREFUSED';

const PAUSE_MS = 200;

/**
 * Asks again while an answer is missing because a connection was refused, until the time is over.
 * @param ask calls its argument when a connection is refused
 */
export async function whileRefused<Answer>(
  patienceMs: number,
  ask: (refused: () => void) => Promise<Answer>,
  isMissing: (answer: Answer) => boolean,
): Promise<Answer> {
  const end = Date.now() + patienceMs;
  for (;;) {
    let isRefused = false;
    const answer = await ask(() => (isRefused = true));
    if (!isRefused || !isMissing(answer) || Date.now() >= end) return answer;
    await new Promise<void>((resolve) => void setTimeout(resolve, PAUSE_MS));
  }
}
