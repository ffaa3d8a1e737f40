import { checkWitnesses, TSA } from '@svc/verifier/evidence';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

const { evidence } = readVector('valid/stamped-evidence');
const finding = (badge: string) => ({ verdict: 'pass', badge, detail: 'It holds.', time: null }) as const;
const timestamps = () => Promise.resolve(finding('by the caller'));

test('runs the check of the caller, or else the check of the kind', async () => {
  const check = ({ receipt }: { receipt: { hash: string } }) => Promise.resolve(finding(receipt.hash));
  const kinds = [{ ...TSA, client: { ...TSA.client, check } }];
  const { hash } = evidence.receipt;
  expect(await checkWitnesses(evidence, {}, kinds)).toEqual({ tsa: finding(hash) });
  expect(await checkWitnesses(evidence, { timestamps }, kinds)).toEqual({ tsa: finding('by the caller') });
  expect(await checkWitnesses(evidence, {}, [TSA])).toEqual({ tsa: undefined });
});
