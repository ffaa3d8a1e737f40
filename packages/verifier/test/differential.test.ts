import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { mutated } from './support/mutated.ts';
import type { Given } from './support/mutated.ts';
import { byNode, byPython, ours } from './support/verdicts.ts';
import type { Verdict } from './support/verdicts.ts';

// A different verdict shows a defect in an implementation, or in the protocol.
const CASES = process.env['TEST_SOAK'] === '1' ? 100_000 : 1_000;
const SEED = Number(process.env['TEST_SEED'] ?? 20_260_506);
const hasPython = spawnSync('python3', ['--version']).status === 0;

test(`TypeScript, Python and JavaScript agree on ${CASES} changed receipts and chain answers`, async () => {
  const paths = new Set<string>();
  const counts: Record<Verdict, number> = { pass: 0, fail: 0, wait: 0 };
  const different: string[] = [];
  let some: Given[] = [];
  const compare = async () => {
    const mine = await Promise.all(some.map(ours));
    const others = { node: await byNode(some), ...(hasPython && { python: await byPython(some) }) };
    for (const [at, verdict] of mine.entries()) {
      counts[verdict]++;
      for (const [name, theirs] of Object.entries(others))
        if (theirs[at] !== verdict)
          different.push(`${some[at]!.name}: ours ${verdict}, ${name} ${theirs[at] ?? 'nothing'}`);
    }
    some = [];
  };
  for await (const given of mutated(CASES, SEED, paths)) if (some.push(given) === 2_000) await compare();
  await compare();
  if (!hasPython) console.warn('python3 is not here: docs/verify_receipt.py was not run, its twin was');

  expect(different.slice(0, 20), `seed ${SEED}`).toEqual([]);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(CASES / 20);
  expect(EVERY_FIELD.filter((path) => !paths.has(path))).toEqual([]);
}, 3_600_000);

const EVERY_FIELD = [
  '_format',
  '_what_this_is',
  '_verify_without_etch',
  'etch_id',
  'status',
  'canonical_string',
  'hash',
  'author',
  'author.user_id',
  'author.username',
  'signature',
  'signature.value',
  'signature.public_key',
  'inclusion',
  'revocation',
  'chain',
  ...['root', 'proof', 'tree_size', 'tree_version'].flatMap((name) => [
    `inclusion.${name}`,
    `revocation.${name}`,
  ]),
  ...['leaf_rule', 'node_rule'].map((name) => `inclusion.${name}`),
  ...['retracted_at', 'kind', 'attestation_uid', 'tx_hash'].map((name) => `revocation.${name}`),
  ...['name', 'chain_id', 'attestation_contract', 'schema_uid', 'attestation_uid', 'relayer', 'tx_hash'].map(
    (name) => `chain.${name}`,
  ),
];
