// Runs without a database.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { raise } from '../../../src/anchoring/decide/deliver.ts';

test('raises fees by at least 10 % and never above the cap', () => {
  const fee = fc.bigInt({ min: 1n, max: 10n ** 13n });
  const fees = fc
    .tuple(fee, fee)
    .map(([a, b]) => ({ maxFeePerGas: a > b ? a : b, maxPriorityFeePerGas: a > b ? b : a }));
  fc.assert(
    fc.property(fees, fees, fee, (last, now, cap) => {
      const raised = raise(last, now, cap);
      if (raised === null) {
        expect(cap * 10n).toBeLessThan(last.maxFeePerGas * 11n + 10n);
        return;
      }
      expect(raised.maxFeePerGas).toBeLessThanOrEqual(cap);
      expect(raised.maxPriorityFeePerGas).toBeLessThanOrEqual(raised.maxFeePerGas);
      expect(raised.maxFeePerGas * 10n).toBeGreaterThanOrEqual(last.maxFeePerGas * 11n);
      expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(last.maxPriorityFeePerGas * 11n);
    }),
  );
});
