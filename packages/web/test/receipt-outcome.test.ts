import { expect, test } from 'vitest';
import type { Verification } from '@svc/verifier';
import { provenByReceipt, receiptHeadline, receiptOutcome } from '../src/receipt-outcome.ts';

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
  [[check('tsa', 'info', 'unjudged')], 'The words match. 3 of 4 checks passed, and no check failed'],
  [[check('index', 'fail', 'absent')], 'Do not rely on this: a check failed'],
])('a receipt whose file has also %j', (more, says) => expect(headline(...CORE, ...more)).toBe(says));

test('erased words have no sentence about their later change', () => {
  const chain = { onchainTimestamp: '2026-01-02T03:04:45.000Z' };
  const checks = [check('words', 'info', 'erased'), check('batch', 'pass'), check('chain', 'pass')];
  const found = { checks, chain, revocation: { time: null } } as unknown as Verification;
  const proven = (status: 'sealed' | 'retracted') =>
    provenByReceipt({ status, signature: null }, found, false);
  const existed = 'This hash existed by 2 January 2026, 03:04:45 UTC.';
  expect(proven('sealed')).toEqual([existed, 'Its words cannot change: the hash would differ.']);
  expect(proven('retracted')).toEqual([existed]);
});

test('an etch without a tree has two checks, and every one of them passed', () => {
  const [words, , chain] = CORE;
  expect(headline(words!, check('batch', 'info', 'direct'), chain!)).toBe(
    'The words match. Every check passed',
  );
});
