// Runs without a database.
import { expect, test } from 'vitest';
import { decideFinal, type BlockPresence } from '../../../src/anchoring/decide/decide.ts';
import { Problems, Suspicions } from '../../../src/anchoring/problems.ts';
import { DEFAULT_RULES } from '../../../src/anchoring/rules.ts';
import { BLOCK, FORM, GWEI, NONCE, NOW, RELAYER, suspect, WAIT } from './scene.ts';

const block = (number: number) => ({ number, hash: BLOCK, timestamp: NOW, baseFeePerGas: GWEI });
const final = (standing: BlockPresence, seen: { head?: number; minedNonce?: number; looks?: number } = {}) =>
  decideFinal(
    {
      id: 1,
      sender: RELAYER,
      nonce: NONCE,
      action: 'attest',
      calldata: '0xaa',
      state: 'FINAL',
      tries: 0,
      notBefore: 0,
      blockNumber: 90,
      blockHash: BLOCK,
    },
    standing,
    {
      snapshot: {
        head: block(seen.head ?? 80),
        final: block(70),
        relayer: RELAYER,
        minedNonce: seen.minedNonce ?? NONCE,
      },
      rules: DEFAULT_RULES,
      ...(seen.looks !== undefined && { looks: seen.looks }),
    },
  );

test('reopens a final transaction if another block replaced its block', () => {
  expect(final('stands')).toEqual(WAIT);
  expect(final('replaced')).toEqual({ do: 'reopen' });
});

test('reopens a transaction without a block if the chain stays shorter and the nonce unspent', () => {
  expect(final('unknown', { head: 90 })).toEqual(WAIT);
  expect(final('unknown', { minedNonce: NONCE + 1 })).toEqual(WAIT);
  expect(final('unknown')).toEqual(suspect({ kind: 'gone', tx: 1 }));
  expect(final('unknown', { looks: 2 })).toEqual(WAIT);
  expect(final('unknown', { looks: 3 })).toEqual({ do: 'reopen' });
});

test('counts consecutive looks by kind and subject, once a tick', () => {
  const suspicions = new Suspicions();
  const spent = { kind: 'spent', tx: 1 } as const;
  const counts = [1, 2, 3].map(() => {
    suspicions.startTick();
    return [suspicions.looks(spent), suspicions.looks(spent)];
  });
  expect(counts.flat()).toEqual([1, 1, 2, 2, 3, 3]);
  for (const other of [
    ...([
      { kind: 'spent', tx: 2 },
      { kind: 'failed', tx: 1 },
      { kind: 'gap', nonce: 1 },
    ] as const),
    { kind: 'underpriced', form: FORM } as const,
  ])
    expect(suspicions.looks(other)).toBe(1);
  suspicions.startTick();
  suspicions.startTick();
  expect(suspicions.looks(spent)).toBe(1);
});

test('names the setting to check for each fault of an endpoint', () => {
  const logged: string[] = [];
  const log = { info() {}, warn() {}, error: (_: object, message: string) => void logged.push(message) };
  const problems = new Problems(log);
  problems.startTick();
  problems.reportFault(new Error('rpc.example did not answer in time'));
  problems.reportFault(new Error('CHAIN_ID: this database belongs to chain 1, but the chain in use has 2'));
  expect(problems.state.failure).toBe('CHAIN_RPC_URL: rpc.example did not answer in time');
  expect(logged).toEqual([
    'anchoring: CHAIN_RPC_URL: rpc.example did not answer in time',
    'anchoring: CHAIN_ID: this database belongs to chain 1, but the chain in use has 2',
  ]);
});
