import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, etchHash, etchLeaf, hexToBytes, node, SCHEMA } from '@svc/protocol';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/protocol.md'), 'utf8');

test('the example in docs/protocol.md is correct and equals the vector', () => {
  const { receipt } = readVector('valid/receipt-instant');
  expect(page).toContain(receipt.canonical_string);
  expect(page).toContain(`hash ${etchHash(receipt.canonical_string)}`);
  let value = etchLeaf(2, receipt.author.user_id, receipt.hash);
  expect(page).toContain(bytesToHex(value));
  for (const sibling of receipt.inclusion.proof as string[]) {
    value = node(value, hexToBytes(sibling));
    expect(page).toContain(bytesToHex(value));
  }
  expect(bytesToHex(value)).toBe(receipt.inclusion.root);
});

test('the opening in docs/protocol.md equals the vector', () => {
  const [first] = readVector('valid/timelock-scalars').scalars;
  for (const part of [first.sigma, first.file_key, ...first.digests, first.r]) expect(page).toContain(part);
  expect(page).not.toContain('highest bit cleared');
});

test('docs/protocol.md names exactly the vectors that exist', () => {
  const folder = join(import.meta.dirname, '../../../vectors');
  const files = ['valid', 'invalid'].flatMap((kind) =>
    readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`),
  );
  const named = [...page.matchAll(/`((?:in)?valid\/[\w*.-]+\.json)`/g)].map(
    ([, pattern]) => new RegExp(`^${pattern!.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
  expect(files.filter((file) => !named.some((pattern) => pattern.test(file)))).toEqual([]);
});

test('docs/protocol.md names the schema', () => {
  expect(page).toContain(SCHEMA);
});
