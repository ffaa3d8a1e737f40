// Requests logs in ranges of blocks as large as the endpoint allows.
import { LogSpan } from '@svc/verifier/requests';
import { NodeError } from './json-rpc.ts';
import { type Chain, ChainUnavailable } from './port.ts';

export interface BlockRange {
  at: number;
  to: number;
  span: LogSpan;
}

export const blockRange = (at: number, to: number): BlockRange => ({ at, to, span: new LogSpan() });

/** @returns true when the range is done */
export async function askRange(
  range: BlockRange,
  questions: number,
  ask: (from: number, to: number) => Promise<void>,
): Promise<boolean> {
  for (let question = 0; question < questions && range.at <= range.to; question++) {
    const end = Math.min(range.to, range.at + range.span.blocks - 1);
    try {
      await ask(range.at, end);
      range.at = end + 1;
      range.span.accepted();
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      if (range.span.rejected(end - range.at + 1)) continue;
      range.span = new LogSpan();
      throw new ChainUnavailable(`the node rejects a request for logs: ${error.message}`);
    }
  }
  return range.at > range.to;
}

/** First block at or after `time` (s); head + 1 if none. */
export async function blockAt(chain: Chain, head: number, time: number): Promise<number> {
  let [low, high] = [0, head + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await chain.blockByNumber(middle);
    if (!block) throw new ChainUnavailable(`the node does not show its block ${middle}`);
    if (block.timestamp >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
