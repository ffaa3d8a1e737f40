// Folds 10,000 leaves with all proofs, next to bare SHA-256.
import { randomBytes } from 'node:crypto';
import { buildFlatTree } from '../packages/protocol/dist/index.js';
import { sha256 } from '../packages/server/dist/platform/secrets/signing-key.js';
import { inTurns, milliseconds, ratio, timed } from './support/report.mjs';

const LEAVES = 10_000;
const ROUNDS = 15;

export const aim = 'at most 2.0.';

export async function measure() {
  const leaves = Array.from({ length: LEAVES }, () => randomBytes(32));
  const node = randomBytes(65);
  const hash = () => {
    for (let index = 0; index < LEAVES - 1; index++) sha256(node);
  };
  const fold = () => {
    const tree = buildFlatTree(leaves, sha256);
    for (let index = 0; index < LEAVES; index++) tree.proof(index);
  };
  const times = await inTurns(ROUNDS, [() => timed(hash), () => timed(fold)]);
  const [bare, own] = times.map((all) => Math.min(...all));
  return {
    table: `Folding ${LEAVES} leaves with all proofs, in one thread (best of ${ROUNDS} rounds)`,
    head: ['bare SHA-256 of as many nodes', 'this service', 'ratio'],
    rows: [[milliseconds(bare), milliseconds(own), ratio(own / bare)]],
  };
}
