import { expect, test } from 'vitest';
import type { Verification } from '@svc/verifier';
import { receiptHeadline, receiptOutcome } from '../src/receipt-outcome.ts';

const receipt = { status: 'revealed' } as const;
const check = (key: string, verdict: string, badge = 'attested') => ({ key, verdict, badge });
const CORE = [check('words', 'pass'), check('batch', 'pass'), check('chain', 'pass')];
const headline = (...checks: object[]): string => {
  const found = { checks, revocation: { verdict: 'info' }, chain: {} } as unknown as Verification;
  return receiptHeadline(receiptOutcome(receipt, found, 'reader', false), found, false);
};

test.each([
  [[], 'The words match. Every check passed'],
  [[check('tsa', 'pass')], 'The words match. Every check passed'],
  [[check('tsa', 'info', 'unjudged')], 'The words match. 3 of 4 checked, and no check failed'],
  [[check('index', 'fail', 'absent')], 'Do not rely on this: a check failed'],
])('a receipt whose file has also %j', (more, says) => expect(headline(...CORE, ...more)).toBe(says));

test('an etch without a tree has two checks, and every one of them passed', () => {
  const [words, , chain] = CORE;
  expect(headline(words!, check('batch', 'info', 'direct'), chain!)).toBe(
    'The words match. Every check passed',
  );
});
