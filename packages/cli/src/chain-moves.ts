import { parseMove, type Receipt, type ReceiptChain, verifySignature } from '@svc/protocol';
import { type Trust, trustChanges } from '@svc/verifier';
import type { ServiceFacts } from '@svc/sdk';

type Published = Pick<ServiceFacts, 'trust' | 'moves'>;
type Pinned = Pick<ServiceFacts, 'trust' | 'promiseKeys'>;

interface StatedMove {
  leftAt: string;
  from: Trust;
  /** by a promise key that the reader pinned */
  isSigned: boolean;
}

const MOST_MOVES = 16;

/**
 * The statements that lead to the published chain (docs/decisions/0026-leaving-a-chain.md). A pass never depends on
 * them: `svc trust` reads the signed ones, and every other one only lets a check wait.
 */
export function statedMoves({ moves, trust }: Published, promiseKeys: readonly string[]): StatedMove[] {
  return moves.slice(0, MOST_MOVES).flatMap((stated) => {
    const { text, signatures } = (stated ?? {}) as { text?: unknown; signatures?: unknown };
    const move = typeof text === 'string' ? parseMove(text) : null;
    if (move === null || trustChanges(move.to, trust).length > 0) return [];
    const signed = (Array.isArray(signatures) ? signatures : []).slice(0, MOST_MOVES) as unknown[];
    const isSigned = signed.some((one) => {
      const { public_key: publicKey, signature } = (one ?? {}) as Record<string, string>;
      return (
        promiseKeys.includes(publicKey!) &&
        verifySignature({ publicKey: publicKey!, message: text as string, signature: signature! })
      );
    });
    return [{ leftAt: move.leftAt, from: move.from, isSigned }];
  });
}

const isOf = (pinned: Trust, { chainId, contract, schemaUid, relayers }: Trust): boolean =>
  chainId === pinned.chainId &&
  contract === pinned.contract &&
  schemaUid === pinned.schemaUid &&
  relayers.some((relayer) => pinned.relayers.includes(relayer));

const isOn = (pinned: Trust, chain: ReceiptChain): boolean =>
  isOf(pinned, {
    chainId: chain.chain_id,
    contract: chain.attestation_contract,
    schemaUid: chain.schema_uid,
    relayers: [chain.relayer],
  });

/** Null: the service does not state that it left the pinned chain. */
export const moveFrom = ({ trust, promiseKeys }: Pinned, facts: Published): StatedMove | null =>
  statedMoves(facts, promiseKeys).find(({ from }) => isOf(trust, from)) ?? null;

export function moveWords({ leftAt, isSigned }: StatedMove, origin = 'with its url'): string {
  const day = leftAt.slice(0, 10);
  return isSigned
    ? `this service moved to another chain on ${day}: run svc trust ${origin}`
    : `this service says that it moved to another chain on ${day}, and no promise key that you pinned signed this: ask its operator over another channel, then run svc trust --accept ${origin}`;
}

/** Why a receipt on a chain that is not pinned waits instead of failing; null: no move is stated. */
export function movedWords(
  { chain, former = [] }: Receipt,
  origin: string,
  pin: Pinned,
  facts: Published | null,
): string | null {
  if (chain.chain_id === pin.trust.chainId) return null;
  if (facts !== null) {
    const move = isOn(facts.trust, chain) ? moveFrom(pin, facts) : null;
    return move && moveWords(move, origin);
  }
  return former.some((one) => isOn(pin.trust, one))
    ? `the receipt says that its service moved from the pinned chain ${pin.trust.chainId} to chain ${chain.chain_id}: if ${origin} answers, run svc trust ${origin}`
    : null;
}
