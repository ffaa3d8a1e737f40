// Classifies the messages with which nodes reject a transaction.
import type { SendOutcome } from './port.ts';

/** In lower case, from geth, reth, erigon, nethermind, besu, openethereum, anvil and sequencers. */
const NODE_MESSAGES: Readonly<Record<Exclude<SendOutcome, 'accepted' | 'rejected'>, readonly RegExp[]>> = {
  'already-known': [
    /already[ _]?known/,
    /known transaction/,
    /already (been )?imported/,
    /already[ _]exists|already in (the )?(mem|tx)?pool/,
    /(existing tx|transaction) with (the )?same hash/,
  ],
  'nonce-too-low': [
    /nonce (is )?too low/,
    /nonce[ _]too[ _]low/,
    /old ?nonce/,
    /nonce (has )?already (been )?used|noncealreadyused/,
    /nonce is below|invalid nonce; got \d+, expected \d+/,
  ],
  underpriced: [
    /under[ _]?priced/,
    /replacement ?not ?allowed|could not replace existing/,
    /fee ?too ?low|gas ?price (is )?too low/,
    /max ?fee ?per ?gas (is )?less than (the )?block base ?fee/,
    /(below|less than) (the )?(configured )?minimum/,
    /future transaction tries to replace pending/,
  ],
};

export function classifyRefusal(message: string): Exclude<SendOutcome, 'accepted'> {
  const lower = message.toLowerCase();
  const found = Object.entries(NODE_MESSAGES).find(([, patterns]) =>
    patterns.some((pattern) => pattern.test(lower)),
  );
  return (found?.[0] as keyof typeof NODE_MESSAGES | undefined) ?? 'rejected';
}

/** False for faults that do not concern this transaction, such as rate limits. */
export function isAboutTransaction(code: number, message: string): boolean {
  if (classifyRefusal(message) !== 'rejected') return true;
  if ([-32700, -32600, -32601, -32005, -32002, -32603, 429].includes(code)) return false;
  return !/rate limit|too many requests|quota|limit exceeded.*(request|compute)|api key|unauthori[sz]ed|forbidden/i.test(
    message,
  );
}
