import { expect, test } from 'vitest';
import { needsEvidence } from '../src/proofs/list.ts';

test.each([
  [{}, '--require note requires an evidence file'],
  [{ '--key <hex>': '' }, '--require note and --key require an evidence file'],
  [{ '--key <hex>': '', '--raw': '' }, '--require note, --key and --raw require an evidence file'],
])('names the options that require evidence: %j', (options, expected) => {
  expect(needsEvidence({ need: 'note', options })).toMatch(new RegExp(`^${expected}; make one`));
});
