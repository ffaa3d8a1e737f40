import { ReceiptError } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import type { Verification } from '@svc/verifier';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  readerOf,
  receiptVector,
  receiptVectors,
  refusedVectors,
  trustOf,
} from '../../../testing/vectors/receipts.ts';
import { startRpc } from '../../../testing/chain/rpc-server.ts';
import type { RpcServer } from '../../../testing/chain/rpc-server.ts';

const badges = (verification: Verification) => ({
  overall: overall(verification),
  ...Object.fromEntries(verification.checks.map((check) => [check.key, check.badge])),
});

let rpc: RpcServer;
beforeAll(async () => {
  rpc = await startRpc({ chain_id: 1, eth_call: {} });
});
afterAll(() => rpc.close());

test.each(receiptVectors())('%s', async (_, vector) => {
  const verification = await verifyReceipt(vector.receipt, trustOf(vector), readerOf(vector));
  expect(badges(verification)).toEqual(vector.expect);
  rpc.state = vector.chain;
  const overHttp = await verifyReceipt(vector.receipt, trustOf(vector), rpcChain({ urls: [rpc.url] }));
  expect(badges(overHttp)).toEqual(vector.expect);
});

test.each(refusedVectors())('rejects %s and names the field', async (_, { receipt, trust, field }) => {
  const attempt = verifyReceipt(receipt, trustOf({ trust }), rpcChain({ urls: [rpc.url] }));
  await expect(attempt).rejects.toBeInstanceOf(ReceiptError);
  await expect(attempt).rejects.toMatchObject({ field });
});

describe('the whole verification', () => {
  const verify = async (name: string) => {
    const vector = receiptVector(name);
    return { vector, verification: await verifyReceipt(vector.receipt, trustOf(vector), readerOf(vector)) };
  };

  test('passes a good receipt', async () => {
    const { vector, verification } = await verify('valid/receipt-signed');
    const { hash, chain } = vector.receipt;
    expect(verification).toMatchObject({
      recomputed_hash: hash,
      recomputed_hash_matches: true,
      reconstructable: true,
      reconstructable_note: null,
      revocation: { state: 'none', verdict: 'info' },
      chain: {
        anchored: true,
        attestationUid: chain.attestation_uid,
        onchainTimestamp: chain.anchored_at,
        revoked: false,
        revokedAt: null,
        attester: vector.trust.relayers[0],
        dataMatchesHash: true,
      },
    });
    expect(verification.checks.map((check) => [check.key, check.verdict, check.learn])).toEqual(
      ['words', 'batch', 'chain'].map((key) => [key, 'pass', `https://svc.example/verify#${key}`]),
    );
    for (const check of verification.checks) {
      expect(check.title).not.toBe('');
      expect(check.evidence.length).toBeGreaterThan(0);
    }
  });

  test.each([
    ['valid/receipt-pending', { anchored: false, dataMatchesHash: false, revoked: false }],
    ['invalid/receipt-attested-root-differs', { anchored: false, dataMatchesHash: false, revoked: false }],
    ['valid/receipt-single-kept-from-before-retraction', { anchored: true, revoked: true }],
  ])('says what the chain shows of %s', async (name, chain) => {
    expect((await verify(name)).verification.chain).toMatchObject(chain);
  });

  test('returns null for unknown values of a sealed etch', async () => {
    const { verification } = await verify('valid/receipt-sealed');
    expect(verification).toMatchObject({
      recomputed_hash: null,
      recomputed_hash_matches: false,
      reconstructable: false,
      chain: { anchored: true, dataMatchesHash: true },
    });
    expect(verification.reconstructable_note).toMatch(/sealed/);
    expect(verification.checks[2].detail).toMatch(/: it existed by then\.$/);
    expect(verification.checks[0].verdict).toBe('info');
  });

  test('returns the time of the retraction for a retracted etch', async () => {
    const { vector, verification } = await verify('valid/receipt-retracted');
    const time = '2026-05-06T07:09:51.000Z';
    expect(verification.chain).toMatchObject({ anchored: true, revoked: true, revokedAt: time });
    const { attestation_uid: attestationUid } = vector.receipt.revocation!;
    expect(verification.revocation).toMatchObject({ state: 'revoked', attestationUid, time });
    expect(verification.reconstructable_note).toMatch(/erased/);
    expect(verification.checks[2].evidence).toEqual(expect.arrayContaining(verification.revocation.evidence));
  });

  test('is false and null where nothing could be read', async () => {
    const { vector } = await verify('valid/receipt-instant');
    const down = rpcChain({ urls: ['http://127.0.0.1:9/'] });
    const verification = await verifyReceipt(vector.receipt, trustOf(vector), down);
    const unread = { onchainTimestamp: null, revoked: false, attester: null, dataMatchesHash: false };
    expect(verification.chain).toMatchObject(unread);
    expect(verification.checks[2]).toMatchObject({ verdict: 'wait', badge: 'unreachable' });
  });

  test('states that a late attestation proves only the later time', async () => {
    const { verification } = await verify('valid/receipt-late');
    expect(verification.checks[2]).toMatchObject({ verdict: 'pass', badge: 'late' });
    expect(verification.checks[2].detail).toMatch(/later/);
  });

  test('does not count an attestation by a different attester', async () => {
    const { verification } = await verify('invalid/receipt-attested-by-another');
    expect(verification.chain).toMatchObject({ anchored: false, revoked: false });
    const { verification: tombstone } = await verify('invalid/receipt-tombstone-by-another');
    expect(tombstone.chain).toMatchObject({ revoked: false, revokedAt: null });
    expect(tombstone.revocation).toMatchObject({ state: 'mismatch', verdict: 'fail', time: null });
  });
});

describe('trust', () => {
  const vector = receiptVector('valid/receipt-instant');
  const trust = trustOf(vector);
  const other = `0x${'7'.repeat(40)}`;
  const verify = (change: object, receipt = vector.receipt) =>
    verifyReceipt(receipt, { ...trust, ...change }, readerOf(vector));

  test.each([
    { relayers: [other] },
    { contract: other },
    { schemaUid: `0x${'7'.repeat(64)}` },
    { chainId: 5 },
  ])('fails for different pins, the receipt is never trusted: %o', async (change) => {
    expect((await verify(change)).checks[2]).toMatchObject({ verdict: 'fail', badge: 'mismatch' });
  });

  test('accepts one of several relayers, in any case', async () => {
    const relayers = [other, trust.relayers[0]!.toUpperCase().replace('0X', '0x')];
    expect(overall(await verify({ relayers }))).toBe('pass');
  });

  test('does not count a tombstone by a different trusted relayer', async () => {
    const foreign = receiptVector('invalid/receipt-tombstone-by-another');
    const uid = foreign.receipt.revocation!.attestation_uid!;
    const attester = `0x${foreign.chain.eth_call[uid]!.slice(2 + 8 * 64 + 24, 2 + 9 * 64)}`;
    const both = { ...trustOf(foreign), relayers: [...foreign.trust.relayers, attester] };
    const { revocation } = await verifyReceipt(foreign.receipt, both, readerOf(foreign));
    expect(revocation.state).toBe('mismatch');
  });

  test('fails when the receipt names a different trusted relayer than the attester', async () => {
    const receipt = { ...vector.receipt, chain: { ...vector.receipt.chain, relayer: other } };
    const { checks } = await verify({ relayers: [...trust.relayers, other] }, receipt);
    expect(checks[2]).toMatchObject({ verdict: 'fail', badge: 'mismatch' });
  });

  test('throws on malformed trust, receipts and URLs', async () => {
    const malformed = [
      { relayers: [] },
      { relayers: ['0x12'] },
      { contract: 'x' },
      { schemaUid: '0x' },
      { chainId: 0 },
    ];
    for (const bad of malformed) await expect(verify(bad)).rejects.toBeInstanceOf(TypeError);
    for (const bad of [null, 5, 'x', [], {}])
      await expect(verify({}, bad as unknown as Receipt)).rejects.toBeInstanceOf(ReceiptError);
    for (const urls of [[], ['file:///etc/passwd'], ['nonsense']])
      expect(() => rpcChain({ urls })).toThrow(TypeError);
  });
});
