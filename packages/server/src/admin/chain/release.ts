import { placeBefore, unknownAttempts } from '../../anchoring/ledger/adoption.ts';
import { attestedSince } from '../../anchoring/recovery/look-back.ts';
import type { Chain } from '../../chain/port.ts';
import type { Db } from '../../db/db.ts';
import type { HaltedTx } from './store.ts';

/**
 * A transaction may be given up if no endpoint reports a signed form as mined and the logs have no attestation of
 * ours at its nonce.
 * @returns why not, or undefined
 */
export async function reasonToKeep(db: Db, chain: Chain, tx: HaltedTx): Promise<string | undefined> {
  if (tx.sender !== chain.relayer) return 'another relayer key signed it: run this with that key';
  if ((await chain.minedNonce()) <= tx.nonce) return 'its nonce is not spent: it continues by itself';
  for (const hash of tx.attempts)
    if (await chain.receipt(hash)) return `${hash} is mined: it continues by itself`;
  const from = (await placeBefore(db, chain.relayer)) ?? 0;
  for (const hash of await unknownAttempts(db, await attestedSince(chain, from))) {
    const own = await chain.ownTransaction(hash);
    if (!own) return `${hash} attested under our key, and the node does not show it: try again later`;
    if (own.nonce === tx.nonce) return `${hash} spent its nonce and is ours: the running service adopts it`;
  }
  return undefined;
}
