import { ChainUnavailable, type Fees, type Hex } from '../../chain/port.ts';
import { NodeError } from '../../chain/json-rpc.ts';
import { toHex } from '../ledger/bytes.ts';
import { fence } from '../ledger/lease.ts';
import { markAnchored, replaceCalldata, storeAttempt } from '../ledger/moves.ts';
import { attemptsOf, revokedCommitments } from '../ledger/transactions.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import type { Sight, Work } from '../work.ts';

/** A filler does nothing but spend a nonce; the contract refuses its empty list at once. */
const FILL_GAS = 100_000n;

/**
 * Signs a sealed transaction and stores the signed form; nothing is sent here.
 * @returns null when it cannot be signed now; the reason is reported
 */
export async function signFirst(work: Work, sight: Sight, tx: LedgerTx): Promise<Attempt | null> {
  const fees = await work.chain.fees();
  if (sight.head.baseFeePerGas > fees.maxFeePerGas || fees.maxFeePerGas > work.rules.maxFeePerGas) {
    work.problems.report('the chain asks for more than the fee cap', { nonce: tx.nonce });
    return null;
  }
  const calldata = tx.action === 'revoke' ? await currentRevocation(work, tx) : tx.calldata;
  if (calldata === null) return null;
  const nothing = calldata === work.chain.encodeAttest([]);
  const gas = nothing ? FILL_GAS : await gasFor(work, tx, calldata);
  if (gas === null) return null;
  return signAndStore(work, tx, { calldata, gas, ...fees }, 'first');
}

/**
 * Raises the fees of a transaction that no block takes, by a quarter and to what the chain asks for now, at the
 * same nonce. At the cap it waits.
 */
export async function raiseFees(work: Work, tx: LedgerTx, last: Attempt): Promise<Attempt | null> {
  const raised = raise(last, await work.chain.fees(), work.rules.maxFeePerGas);
  if (raised === null) {
    work.problems.report('a transaction waits at the fee cap', { nonce: tx.nonce, tx_hash: last.hash });
    return null;
  }
  work.log.warn(
    { nonce: tx.nonce, max_fee_per_gas: raised.maxFeePerGas.toString(), replaces: last.hash },
    'anchoring: raising the fees of a stuck transaction',
  );
  return signAndStore(work, tx, { calldata: tx.calldata, gas: last.gas, ...raised }, 'bump');
}

/** By a quarter, at least to the present fees; null when the cap leaves less than the tenth that nodes demand. */
export function raise(last: Fees, now: Fees, cap: bigint): Fees | null {
  const quarter = (fee: bigint) => (fee * 5n + 3n) / 4n;
  const tenth = (fee: bigint) => (fee * 11n + 9n) / 10n;
  const most = (a: bigint, b: bigint) => (a > b ? a : b);
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const maxFeePerGas = least(cap, most(quarter(last.maxFeePerGas), now.maxFeePerGas));
  if (maxFeePerGas < tenth(last.maxFeePerGas)) return null;
  const tip = most(quarter(last.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) };
}

async function signAndStore(
  work: Work,
  tx: LedgerTx,
  form: Fees & { calldata: Hex; gas: bigint },
  which: 'first' | 'bump',
): Promise<Attempt | null> {
  const { calldata, gas, maxFeePerGas, maxPriorityFeePerGas } = form;
  const request = { nonce: tx.nonce, calldata, gas, maxFeePerGas, maxPriorityFeePerGas };
  const signed = await work.chain.sign(request);
  await work.failpoint(which === 'first' ? 'after-sign' : 'after-bump-sign');
  const stored = await work.db.tx(async (inner) => {
    await fence(inner, work.holder);
    return storeAttempt(inner, tx.id, calldata, { ...signed, gas, maxFeePerGas, maxPriorityFeePerGas });
  });
  if (!stored) return null;
  await work.failpoint(which === 'first' ? 'after-store' : 'after-bump-store');
  const attempts = await attemptsOf(work.db, tx.id);
  return attempts.find((attempt) => attempt.hash === signed.hash) ?? null;
}

async function gasFor(work: Work, tx: LedgerTx, calldata: Hex): Promise<bigint | null> {
  try {
    const gas = await work.chain.estimateGas(calldata);
    return gas + gas / 5n;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    work.problems.report(`the chain would refuse a transaction: ${error.message}`, { nonce: tx.nonce });
    return null;
  }
}

/**
 * What there is to revoke as the chain stands now. As long as no signed form exists, the payload may follow a
 * commitment that was attested anew; what is revoked already is taken as done.
 */
async function currentRevocation(work: Work, tx: LedgerTx): Promise<Hex | null> {
  const open: Hex[] = [];
  const done: { batchId: number; uid: Hex; time: number }[] = [];
  for (const row of await revokedCommitments(work.db, tx.id)) {
    if (row.done) continue;
    if (!row.uid) return null; // its commitment is pending again; it goes first
    const uid = toHex(row.uid);
    const attestation = await work.chain.attestation(uid);
    if (!attestation)
      throw new ChainUnavailable('the node does not show an attestation that is to be revoked');
    if (attestation.revocationTime > 0)
      done.push({ batchId: row.batch_id, uid, time: attestation.revocationTime });
    else open.push(uid);
  }
  const calldata = open.length > 0 ? work.chain.encodeRevoke(open) : work.chain.encodeAttest([]);
  await work.db.tx(async (inner) => {
    await fence(inner, work.holder);
    await markAnchored(inner, done);
    if (calldata !== tx.calldata) await replaceCalldata(inner, tx.id, calldata);
  });
  tx.calldata = calldata;
  return calldata;
}
