import { join } from 'node:path';
import { concatBytes } from '@noble/hashes/utils.js';
import * as protocol from '@svc/protocol';
import * as accountIndex from '@svc/protocol/account-index';
import * as conventions from '@svc/protocol/conventions';
import * as keccak from '@svc/protocol/keccak';
import * as timelock from '@svc/protocol/timelock';
import * as tlog from '@svc/protocol/tlog';
import { expect, test } from 'vitest';
import { examplesOf, runExample, sourcesOf } from '../../../testing/examples.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { signedOpening } from './timelock/signed-opening.ts';

const { receipt } = readVector('valid/receipt-instant');
const { promise, content } = readVector('valid/promises').promises[0];
const { readings } = readVector('valid/account-index');
const { etch, policy, proof } = readVector('valid/tlog');

/** By folder: what its examples use. docs/test/entries.test.ts checks that each function has an example. */
const given: Record<string, Record<string, unknown>> = {
  '.': { ...protocol, ...keccak, receipt, promise, content },
  'account-index': { ...protocol, ...accountIndex, concatBytes, receipt, answer: readings[0].pages[0] },
  conventions: { ...protocol, ...conventions, QUICKNET: timelock.QUICKNET },
  timelock: { ...conventions, ...timelock, opening: signedOpening() },
  tlog: { ...tlog, policy, proof, etch: { hash: etch.hash, userId: etch.user_id, kind: 0 } },
};

test.each(Object.entries(given))('the examples of %s show what they do', async (folder, known) => {
  const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../src', folder)));
  expect(examples.size).toBeGreaterThan(12);
  for (const [name, code] of examples) await expect(runExample(code, known), name).resolves.toBeUndefined();
});
