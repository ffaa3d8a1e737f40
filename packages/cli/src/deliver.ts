// One request to a receiver of events.
import type { Event } from '@svc/sdk';
import { inTime } from './bounded-fetch.ts';
import { printableJsonLine, lines } from './context.ts';

const TIMEOUT_MS = 10_000;

/** `status` is null without an answer: `problem` says why. Neither contains the address, which may be a secret. */
export type Reply =
  | { status: number; retryAfter: string | null }
  | { status: null; retryAfter: null; problem: string };

/** Follows no redirect. */
export async function sendTo(url: URL, request: RequestInit, fetch = globalThis.fetch): Promise<Reply> {
  try {
    return await inTime(TIMEOUT_MS, async (signal) => {
      const { status, headers, body } = await fetch(url, { ...request, redirect: 'manual', signal });
      await body?.cancel();
      return { status, retryAfter: headers.get('retry-after') };
    });
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    const problem =
      name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} seconds` : (cause?.code ?? name);
    return { status: null, retryAfter: null, problem };
  }
}

export function deliveryLine({ id, type }: Event, reply: Reply, json: boolean): string {
  const result = reply.status === null ? { problem: reply.problem } : { status: reply.status };
  return json
    ? `${printableJsonLine({ event_id: id, type, ...result })}\n`
    : lines(`${String(Object.values(result)[0]).padEnd(4)}  ${type.padEnd(16)}  ${id}`);
}
