import type { Block, Hex, OwnTransaction } from '../../../src/chain/port.ts';
import { decide } from '../../../src/anchoring/decide/decide.ts';
import type { Decision, Facts, Mined, Question } from '../../../src/anchoring/decide/decision.ts';
import type { Attempt, LedgerTx } from '../../../src/anchoring/ledger/transactions.ts';
import { DEFAULT_RULES, type Rules } from '../../../src/anchoring/rules.ts';
import type { Suspicion } from '../../../src/anchoring/problems.ts';
import type { ChainSnapshot } from '../../../src/anchoring/work.ts';

export const GWEI = 10n ** 9n;
export const NOW = 1_800_000_000;
export const NONCE = 7;
const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`;
export const RELAYER: Hex = `0x${'ab'.repeat(20)}`;
export const OTHER: Hex = `0x${'cd'.repeat(20)}`;
export const FORM = bytes32('1');
export const BLOCK = bytes32('2');
export const OTHER_BLOCK = bytes32('3');

const block = (number: number, more: Partial<Block> = {}): Block => ({
  number,
  hash: BLOCK,
  timestamp: NOW,
  baseFeePerGas: GWEI,
  ...more,
});

export const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  hash: FORM,
  raw: '0x01',
  gas: 100_000n,
  signedAt: NOW * 1000,
  maxFeePerGas: 2n * GWEI,
  maxPriorityFeePerGas: GWEI,
  ...more,
});

/** Mined in block 90, while blocks up to 100 are final; its nonce is spent. */
export const mined = ({
  succeeded = true,
  ...more
}: { block?: Partial<Block>; succeeded?: boolean } = {}): Mined => ({
  receipt: { txHash: FORM, blockNumber: 90, blockHash: BLOCK, succeeded, logs: [] },
  block: block(90, more.block),
});

export const own = (more: Partial<OwnTransaction> = {}): OwnTransaction => ({
  hash: bytes32('9'),
  sender: RELAYER,
  nonce: NONCE,
  to: null,
  calldata: '0x',
  raw: '0x02',
  gas: 21_000n,
  maxFeePerGas: GWEI,
  maxPriorityFeePerGas: GWEI,
  blockNumber: 90,
  blockHash: BLOCK,
  ...more,
});

export const WAIT = { do: 'wait' };
export const ask = (question: Question) => ({ do: 'ask', question });
export const suspect = (suspicion: Suspicion) => ({ do: 'suspect', suspicion });

export interface Scene {
  tx?: Partial<LedgerTx>;
  attempts?: readonly Attempt[];
  facts?: Facts;
  snapshot?: Partial<ChainSnapshot>;
  rules?: Partial<Rules>;
}

/** Fills in normal values and freezes the input. */
export function decided({ tx = {}, attempts, facts = {}, snapshot = {}, rules = {} }: Scene): Decision {
  const state = tx.state ?? 'SENT';
  const inBlock = state === 'MINED' || state === 'FINAL';
  return decide(
    freeze({
      tx: {
        ...({ id: 1, sender: RELAYER, nonce: NONCE, action: 'attest', calldata: '0xaa', tries: 0 } as const),
        state,
        notBefore: (NOW - 10) * 1000 + 345,
        blockNumber: inBlock ? 90 : null,
        blockHash: inBlock ? BLOCK : null,
        ...tx,
      },
      attempts: attempts ?? (state === 'STAGED' ? [] : [attempt()]),
      facts,
    }),
    freeze({ head: block(101), final: block(100), minedNonce: NONCE, relayer: RELAYER, ...snapshot }),
    freeze({ ...DEFAULT_RULES, ...rules }),
  );
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) freeze(inner as object);
  return Object.freeze(value);
}
