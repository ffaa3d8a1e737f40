import { join } from 'node:path';
import { readBlindSeal } from '@svc/protocol/conventions';
import { parseChainInfo, QUICKNET } from '@svc/protocol/timelock';
import { parseIndexAnswer } from '@svc/protocol/account-index';
import { parsePolicy, parseVerifierKey } from '@svc/protocol/tlog';
import { overall } from '@svc/verifier';
import { expect, test } from 'vitest';
import { etchAnswer } from '../../../testing/clients/example-answers.ts';
import { examplesOf, runExample, sourcesOf } from '../../../testing/examples.ts';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import * as accountIndex from '../src/account-index/index.ts';
import * as answers from '../src/answers/index.ts';
import * as evidence from '../src/evidence/index.ts';
import * as opening from '../src/opening/index.ts';

const { chain: info, beacon, openings } = readVector('valid/openings');
const chain = parseChainInfo(info);
const [{ words, created_at: createdAt }] = readVector('valid/blind-seals').seals;
const proven = readVector('valid/evidence-tree-among-20');

/** By folder: what its examples use. docs/test/entries.test.ts checks that each function has an example. */
const given: Record<string, Record<string, unknown>> = {
  'account-index': {
    ...accountIndex,
    parseIndexAnswer,
    parsePolicy,
    parseVerifierKey,
    policy: readVector('valid/tlog').policy,
    logKey: (readVector('valid/tlog').policy as string).split(/\s/)[1],
    receipt: readVector('valid/receipt-instant').receipt,
    answer: readVector('valid/account-index').readings[0].pages[0],
    emptyLog: {
      url: 'http://127.0.0.1:9/log',
      get: async () => ({ status: 404, retryAfter: null, bytes: null }),
    },
  },
  answers: { ...answers, etch: etchAnswer.etch },
  evidence: {
    ...evidence,
    overall,
    evidence: proven.evidence,
    trust: trustOf(proven),
    blockHash: proven.block_hashes[0],
  },
  proofs: { ...evidence, parsePolicy, evidence: proven.evidence, policy: readVector('valid/tlog').policy },
  opening: {
    ...opening,
    QUICKNET,
    chain,
    signature: beacon.signature,
    opening: openings[0].opening,
    seal: readBlindSeal(words, createdAt, chain),
  },
};

test.each(Object.entries(given))('the examples of %s show what they do', async (folder, known) => {
  const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../src', folder)));
  expect(examples.size).toBeGreaterThan(0);
  for (const [name, code] of examples) await expect(runExample(code, known), name).resolves.toBeUndefined();
});
