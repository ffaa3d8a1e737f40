import {
  type DrandChain,
  isOpeningSigned,
  type Opening,
  parseOpening,
  roundAt,
  TimelockError,
  timelockRound,
  unarmor,
} from '@svc/protocol/timelock';
import type { Misfits } from './misfit.ts';

/** From a promise, a receipt or the etch. */
export interface OpenedEtch {
  id?: string | undefined;
  hash?: string | undefined;
  revealAt?: string | null | undefined;
  /** the key of the promise; absent: the caller vouches for these values */
  signedBy?: string | undefined;
}

/**
 * Does not decrypt the opening (docs/protocol.md#411-openings).
 * @param keys pinned promise keys; null: not compared
 */
export function checkOpeningFits(
  misfits: Misfits,
  value: unknown,
  etch: OpenedEtch,
  chain: DrandChain,
  keys: readonly string[] | null,
): void {
  let opening: Opening;
  try {
    opening = parseOpening(value);
  } catch (error) {
    if (!(error instanceof TimelockError)) throw error;
    return misfits.add('', value, `an opening: ${error.message}`);
  }
  const { etch_id: id, hash, chain_hash: chainHash, round, public_key: key } = opening;
  if (etch.id !== undefined) misfits.equal('etch_id', id, etch.id.toLowerCase());
  if (etch.hash !== undefined) misfits.equal('hash', hash, etch.hash);
  misfits.equal('chain_hash', chainHash, chain.hash);
  if (chainHash === chain.hash && etch.revealAt != null)
    misfits.equal('round', round, roundAt(chain, Date.parse(etch.revealAt)));
  checkStanza(misfits, opening);
  if (keys !== null) misfits.need(keys.includes(key), 'public_key', key, keys.join(' or '));
  const signed = `a signature of ${key} over the other fields`;
  misfits.need(isOpeningSigned(opening), 'signature', opening.signature, signed);
}

/** The plain header must name the signed round and chain. */
function checkStanza(misfits: Misfits, { ciphertext, round, chain_hash: chainHash }: Opening): void {
  try {
    const named = timelockRound(unarmor(ciphertext));
    const stanza = `-> tlock ${round} ${chainHash}`;
    misfits.equal('ciphertext', `-> tlock ${named.round} ${named.chainHash}`, stanza);
  } catch (error) {
    if (!(error instanceof TimelockError)) throw error;
    misfits.add('ciphertext', ciphertext, `an age file with one tlock stanza: ${error.message}`);
  }
}
