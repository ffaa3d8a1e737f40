// Runs without a database.
import { describe, expect, it } from 'vitest';
import type { SendOutcome } from '../../src/chain/port.ts';
import { classifyRefusal, isAboutTransaction } from '../../src/chain/send-outcome.ts';

const said: Record<Exclude<SendOutcome, 'accepted'>, string> = {
  'already-known': `already known
    known transaction: 0xabc
    Known transaction
    ALREADY_EXISTS: already known
    INTERNAL_ERROR: existing tx with same hash
    AlreadyKnown
    Transaction with the same hash was already imported.
    transaction already imported
    tx already in mempool`,
  'nonce-too-low': `nonce too low
    nonce too low: next nonce 7, tx nonce 6
    Nonce too low
    NONCE_TOO_LOW
    OldNonce
    OldNonce, Current nonce: 8, nonce of rejected tx: 7
    Transaction nonce is too low. Try incrementing the nonce.
    invalid nonce; got 3, expected 5`,
  underpriced: `replacement transaction underpriced
    transaction underpriced
    transaction underpriced: gas tip cap 1, minimum needed 1000000
    UNDERPRICED: fee too low
    ReplacementNotAllowed
    could not replace existing tx
    FeeTooLow, MaxFeePerGas too low.
    max fee per gas less than block base fee: address 0x0, maxFeePerGas: 1, baseFee: 2
    Transaction gas price is too low. There is another transaction with same nonce in the queue.
    future transaction tries to replace pending`,
  rejected: `insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1
    Insufficient funds for gas * price + value
    exceeds block gas limit
    intrinsic gas too low
    txpool is full
    nonce too high
    invalid sender`,
};
const rows = Object.entries(said).flatMap(([outcome, messages]) =>
  messages.split(/\n */).map((message) => [message, outcome] as const),
);

describe('a node’s rejection', () => {
  it.each(rows)('"%s" is %s', (message, outcome) => expect(classifyRefusal(message)).toBe(outcome));

  it('is about the transaction or about the request', () => {
    for (const [code, message, isAbout] of [
      [-32000, 'insufficient funds for gas * price + value', true],
      [-32003, 'Insufficient funds', true],
      [-32603, 'INTERNAL_ERROR: nonce too low', true],
      [-32603, 'internal error', false],
      [-32005, 'daily request count exceeded', false],
      [-32601, 'the method does not exist', false],
      [-32000, 'Too Many Requests', false],
    ] as const)
      expect(isAboutTransaction(code, message), message).toBe(isAbout);
  });
});
