import type { ServerResponse } from 'node:http';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import type { ChainAnswer, ChainReader } from '@svc/verifier';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readerOf, receiptVector, trustOf } from '../../../testing/vectors/receipts.ts';
import { startRpc, ZEROS } from '../../../testing/chain/rpc-server.ts';
import type { RpcServer } from '../../../testing/chain/rpc-server.ts';

const vector = receiptVector('valid/receipt-instant');
const uid = vector.receipt.chain.attestation_uid!;
const trust = trustOf(vector);
const verify = (reader: ChainReader) => verifyReceipt(vector.receipt, trust, reader);
const chainCheck = async (reader: ChainReader) => (await verify(reader)).checks[2];

let rpc: RpcServer;
let second: RpcServer;
beforeEach(async () => {
  rpc = await startRpc(vector.chain);
  second = await startRpc(vector.chain);
});
afterEach(() => Promise.all([rpc.close(), second.close()]));

const json = (value: unknown) => (response: ServerResponse) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
};
const result = (value: unknown) => json({ jsonrpc: '2.0', id: 1, result: value });
const callResult =
  (value: unknown) =>
  (response: ServerResponse, { method }: { method: string }) =>
    result(method === 'eth_chainId' ? '0x7a69' : value)(response);
const good = vector.chain.eth_call[uid]!;

const FAULTS: [string, NonNullable<RpcServer['fault']>][] = [
  ['status 500 and no body', (response) => response.writeHead(500).end()],
  ['an HTML page', (response) => response.end('<html>maintenance</html>')],
  ['an empty answer', (response) => response.end()],
  ['a JSON list', json([])],
  ['JSON null', json(null)],
  ['a number', json(5)],
  ['an error', json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'header not found' } })],
  ['an error beside a result', json({ jsonrpc: '2.0', id: 1, result: good, error: { code: -32000 } })],
  ['no result', json({ jsonrpc: '2.0', id: 1 })],
  ['result null', result(null)],
  ['a chain id that is none', result('zzz')],
  ['a call without result', callResult('0x')],
  ['a cut answer', callResult(good.slice(0, -64))],
  ['a cut word', callResult(good.slice(0, -2))],
  ['a lengthened answer', callResult(good + '00'.repeat(32))],
  ['an answer that is no hex', callResult(good.replace('0x', 'zz'))],
  ['an answer of two fields', callResult(`0x${'00'.repeat(64)}`)],
  ['a wrong offset', callResult(good.replace(/^0x0{62}20/, `0x${'0'.repeat(62)}40`))],
  ['a time beyond all dates', callResult(good.slice(0, 194) + 'f'.repeat(64) + good.slice(258))],
  ['more than it may', (response) => response.end(`{"result":"${'0'.repeat(100_000)}"}`)],
  ['a broken connection', (response) => response.destroy()],
  ['another chain', (response) => result('0x1')(response)],
];

describe('a wrong endpoint makes the check wait, never fail', () => {
  test.each(FAULTS)('%s', async (_, fault) => {
    rpc.fault = fault;
    const check = await chainCheck(rpcChain({ urls: [rpc.url] }));
    expect(check).toMatchObject({ verdict: 'wait', badge: 'unreachable' });
    expect(check.detail).not.toContain(new URL(rpc.url).port);
  });

  test.each(FAULTS)('%s: tries the next endpoint', async (_, fault) => {
    rpc.fault = fault;
    expect(overall(await verify(rpcChain({ urls: [rpc.url, second.url] })))).toBe('pass');
    expect(second.requests).toBe(2);
  });

  const UNREACHABLE = { verdict: 'wait', badge: 'unreachable' };
  test('no answer', async () => {
    rpc.fault = () => undefined;
    expect(await chainCheck(rpcChain({ urls: [rpc.url], timeoutMs: 50 }))).toMatchObject(UNREACHABLE);
    expect(overall(await verify(rpcChain({ urls: [rpc.url, second.url], timeoutMs: 2_000 })))).toBe('pass');
  });

  test('an answer that never ends, a fetch that ignores its signal, and a closed port', async () => {
    rpc.fault = (response) => response.write('{"result":');
    const fetch = () => new Promise<Response>(() => undefined);
    for (const more of [{}, { fetch }])
      expect(await chainCheck(rpcChain({ urls: [rpc.url], timeoutMs: 50, ...more }))).toMatchObject(
        UNREACHABLE,
      );
    expect(await chainCheck(rpcChain({ urls: ['http://127.0.0.1:9/'] }))).toMatchObject(UNREACHABLE);
  });
});

describe('an answer of zeros', () => {
  test('makes the check wait', async () => {
    rpc.state = { ...vector.chain, eth_call: {} };
    const check = await chainCheck(rpcChain({ urls: [rpc.url] }));
    expect(check).toMatchObject({ verdict: 'wait', badge: 'pending' });
  });

  test('leads to the next endpoint, which may not lag', async () => {
    rpc.state = { ...vector.chain, eth_call: { [uid]: ZEROS } };
    expect(overall(await verify(rpcChain({ urls: [rpc.url, second.url] })))).toBe('pass');
  });

  test('makes the check wait when the next endpoint is down', async () => {
    rpc.state = { ...vector.chain, eth_call: {} };
    second.fault = (response) => response.destroy();
    expect(await chainCheck(rpcChain({ urls: [rpc.url, second.url] }))).toMatchObject({ badge: 'pending' });
  });
});

describe('a custom reader', () => {
  const answering = (answer: unknown): ChainReader => ({
    attestation: () => Promise.resolve(answer as ChainAnswer),
  });
  const attestation = {
    uid,
    schema: trust.schemaUid,
    attester: trust.relayers[0],
    time: 5,
    revocationTime: 0,
    data: '0x',
  };
  const down = (): never => {
    throw new Error('http://secret.example/key');
  };
  const read = (found: unknown) => answering({ kind: 'read', chainId: trust.chainId, attestation: found });

  test.each<[string, ChainReader]>([
    ['throws', { attestation: down }],
    ['rejects', { attestation: async () => down() }],
    ['answers nothing', answering(undefined)],
    ['answers an empty object', answering({})],
    ['is of another chain', answering({ kind: 'read', chainId: 1, attestation })],
    ['answers a text', read('x')],
    ['answers an empty attestation', read({})],
    ['answers a uid that is none', read({ ...attestation, uid: 'x' })],
    ['answers a time that is none', read({ ...attestation, time: Number.NaN })],
    ['answers time zero', read({ ...attestation, time: 0 })],
    ['answers half a second', read({ ...attestation, time: 1.5 })],
    ['answers a time as text', read({ ...attestation, time: '5' })],
    ['answers a revocation before the attestation', read({ ...attestation, revocationTime: 4 })],
    ['answers data that is no hex', read({ ...attestation, data: '0xzz' })],
  ])('that %s makes it wait', async (_, reader) => {
    const check = await chainCheck(reader);
    expect(check).toMatchObject({ verdict: 'wait', badge: 'unreachable' });
    expect(check.detail).not.toContain('secret');
  });

  const DOWN: ChainAnswer = { kind: 'unreachable', reason: 'down' };
  const ABSENT: ChainAnswer = { kind: 'read', chainId: trust.chainId, attestation: null };
  test.each([
    ['receipt-retracted', DOWN, 'unreachable', 'revoked'],
    ['receipt-retracted', ABSENT, 'pending', 'revoked'],
    ['receipt-single-retracted', DOWN, 'unreachable', 'unreachable'],
    ['receipt-single-retracted', ABSENT, 'pending', 'pending'],
  ] as const)('that does not read the attestation of %s: %o', async (name, answer, badge, revocation) => {
    const retracted = receiptVector(`valid/${name}`);
    const whole = readerOf(retracted);
    const half: ChainReader = {
      attestation: (contract, asked, chainId) =>
        asked === retracted.receipt.chain.attestation_uid
          ? Promise.resolve(answer)
          : whole.attestation(contract, asked, chainId),
    };
    const verification = await verifyReceipt(retracted.receipt, trustOf(retracted), half);
    expect(verification.checks[2]).toMatchObject({ verdict: 'wait', badge });
    expect(verification.revocation.state).toBe(revocation);
    expect(overall(verification)).toBe('wait');
  });

  test('that shows a revoked attestation older than its etch fails, and a retraction names its time once', async () => {
    const single = receiptVector('valid/receipt-single-kept-from-before-retraction');
    const whole = readerOf(single);
    const older: ChainReader = {
      async attestation(...asked) {
        const answer = await whole.attestation(...asked);
        if (answer.kind !== 'read' || answer.attestation === null) return answer;
        return { ...answer, attestation: { ...answer.attestation, time: 5 } };
      },
    };
    const receipt = { ...single.receipt, chain: { ...single.receipt.chain, anchored_at: null } };
    const { checks } = await verifyReceipt(receipt, trustOf(single), older);
    expect(checks[2]).toMatchObject({ verdict: 'fail', badge: 'mismatch' });
    expect(checks[2].detail).toContain('is older than the stated time');
    const retracted = receiptVector('valid/receipt-single-retracted');
    const { checks: all } = await verifyReceipt(retracted.receipt, trustOf(retracted), readerOf(retracted));
    expect(all[2].evidence.filter(({ label }) => label === 'Revoked at')).toHaveLength(1);
  });

  test('that cannot read the tombstone makes the check wait', async () => {
    const retracted = receiptVector('valid/receipt-retracted');
    const whole = readerOf(retracted);
    const half: ChainReader = {
      attestation: (contract, asked, chainId) =>
        asked === retracted.receipt.revocation!.attestation_uid
          ? Promise.resolve({ kind: 'unreachable', reason: 'down' })
          : whole.attestation(contract, asked, chainId),
    };
    const verification = await verifyReceipt(retracted.receipt, trustOf(retracted), half);
    expect(verification.checks[2]).toMatchObject({ verdict: 'wait', badge: 'unreachable' });
    expect(verification.chain).toMatchObject({ anchored: true, revoked: false });
  });
});
