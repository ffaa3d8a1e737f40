// Runs without a database.
import type { ChainAnswer } from '@svc/verifier';
import { expect, it, test } from 'vitest';
import { cachedReader } from '../../src/chain/attestation-reader.ts';
import { observeChain } from '../../src/chain/observed.ts';
import { type Chain, ChainUnavailable } from '../../src/chain/port.ts';
import { redact } from '../../src/chain/json-rpc.ts';

function counted(answer: ChainAnswer = { kind: 'read', chainId: 7, attestation: null }) {
  let [asked, admitted] = [0, 0];
  const readerFor = cachedReader({
    attestation: async () => {
      asked++;
      return answer;
    },
  });
  const reader = readerFor(async () => {
    admitted++;
    return undefined;
  });
  return { readerFor, reader, counts: () => ({ asked, admitted }) };
}

it('counts only uncached reads of a caller', async () => {
  const { reader, readerFor, counts } = counted();
  await reader.attestation('0xc', '0x1', 7);
  await reader.attestation('0xc', '0x1', 7);
  expect(counts()).toEqual({ asked: 1, admitted: 1 });
  await reader.attestation('0xc', '0x2', 7);
  expect(counts()).toEqual({ asked: 2, admitted: 2 });
  const spent = readerFor(async () => 'too many');
  expect(await spent.attestation('0xc', '0x2', 7)).toMatchObject({ kind: 'read' });
  expect(await spent.attestation('0xc', '0x3', 7)).toEqual({ kind: 'unreachable', reason: 'too many' });
  expect(await reader.attestation('0xc', '0x3', 7)).toMatchObject({ kind: 'read' });
});

it('retries a failed read at once', async () => {
  const { reader, counts } = counted({ kind: 'unreachable', reason: 'away' });
  await reader.attestation('0xc', '0x1', 7);
  await reader.attestation('0xc', '0x1', 7);
  expect(counts()).toEqual({ asked: 2, admitted: 2 });
});

test('counts every request by its result and does not change the answer', async () => {
  const reported: string[] = [];
  class Node {
    readonly relayer = '0x01';
    #balance = 7n;
    async balance(): Promise<bigint> {
      return this.#balance;
    }
    async head(): Promise<never> {
      throw new ChainUnavailable('secret.example/key');
    }
    async fees(): Promise<never> {
      throw new TypeError('a mistake');
    }
    encodeRevoke(): string {
      return '0x02';
    }
  }
  const chain = observeChain(new Node() as unknown as Chain, (question, outcome) =>
    reported.push(`${question} ${outcome}`),
  );
  expect(chain.relayer).toBe('0x01');
  expect(chain.encodeRevoke([])).toBe('0x02');
  expect(await chain.balance()).toBe(7n);
  await expect(chain.head()).rejects.toThrow(ChainUnavailable);
  await expect(chain.fees()).rejects.toThrow('a mistake');
  expect(reported).toEqual(['balance ok', 'head unavailable', 'fees failed']);
});

const URL = 'https://node.example/';

it('shows invisible characters of a node’s message by number, in one line', () => {
  const shown = 'a\\u200bb\\u{e0041}\\u001b[2J\\u202e\\u000a';
  expect(redact('a\u200bb\u{e0041}\u001b[2J\u202e\n', URL)).toBe(shown);
});

it('truncates a node’s message without cutting a character', () => {
  expect(redact('\u200b'.repeat(400), URL)).toBe('\\u200b'.repeat(300));
  expect(redact(`${'x'.repeat(299)}🌊`, URL)).toBe(`${'x'.repeat(299)}\\ud83c`);
});
