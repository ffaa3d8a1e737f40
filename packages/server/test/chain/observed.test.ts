// Runs without a database.
import { expect, test } from 'vitest';
import { observeChain } from '../../src/chain/observed.ts';
import { type Chain, ChainUnavailable } from '../../src/chain/port.ts';

test('counts every request by its result and does not change the answer', async () => {
  const told: string[] = [];
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
    told.push(`${question} ${outcome}`),
  );
  expect(chain.relayer).toBe('0x01');
  expect(chain.encodeRevoke([])).toBe('0x02');
  expect(await chain.balance()).toBe(7n);
  await expect(chain.head()).rejects.toThrow(ChainUnavailable);
  await expect(chain.fees()).rejects.toThrow('a mistake');
  expect(told).toEqual(['balance ok', 'head unavailable', 'fees failed']);
});
