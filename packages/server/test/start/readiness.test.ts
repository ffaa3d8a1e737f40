import { expect, test } from 'vitest';
import { createReadiness } from '../../src/start/readiness.ts';

test('the chain is asked once for many who want to know at the same moment', async () => {
  let asked = 0;
  const head = async () => {
    asked++;
    throw new Error('down');
  };
  const parts = createReadiness({
    db: { engine: 'pglite' },
    clock: {},
    chain: { chain: { name: 'devnet', head } },
  } as unknown as Parameters<typeof createReadiness>[0]);
  const chain = parts.find((part) => part.name === 'chain')!;
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => chain.check()));
  expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
  expect(asked).toBe(1);
});
