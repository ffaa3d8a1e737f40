// Runs without a database.
import { expect, test } from 'vitest';
import { Problems } from '../../src/anchoring/problems.ts';

test('names the setting to check for each fault of an endpoint', () => {
  const logged: string[] = [];
  const log = { info() {}, warn() {}, error: (_: object, message: string) => void logged.push(message) };
  const problems = new Problems(log);
  problems.startTick();
  problems.reportFault(new Error('rpc.example did not answer in time'));
  problems.reportFault(new Error('CHAIN_ID: this database belongs to chain 1, but the chain in use has 2'));
  expect(problems.first).toBe('CHAIN_RPC_URL: rpc.example did not answer in time');
  expect(logged).toEqual([
    'anchoring: CHAIN_RPC_URL: rpc.example did not answer in time',
    'anchoring: CHAIN_ID: this database belongs to chain 1, but the chain in use has 2',
  ]);
});
