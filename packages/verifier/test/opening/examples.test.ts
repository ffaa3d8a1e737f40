import { join } from 'node:path';
import { readBlindSeal } from '@svc/protocol/conventions';
import { parseChainInfo, QUICKNET } from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { examplesOf, functionsOf, runExample, sourcesOf } from '../../../../testing/examples.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import * as room from '../../src/opening/index.ts';

const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../../src/opening')));
const { chain: info, beacon, openings } = readVector('valid/openings');
const chain = parseChainInfo(info);
const [{ words, created_at: createdAt }] = readVector('valid/blind-seals').seals;

test('every function has an example', () => {
  expect(functionsOf(room).filter((name) => !examples.has(name))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  await runExample(code, {
    ...room,
    ...{ QUICKNET, chain, signature: beacon.signature, opening: openings[0].opening },
    seal: readBlindSeal(words, createdAt, chain),
  });
});
