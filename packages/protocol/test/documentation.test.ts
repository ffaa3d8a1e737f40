import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, etchHash, etchLeaf, hexToBytes, node, SCHEMA } from '@svc/protocol';
import { OPENING_NOTE } from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

interface Range {
  first: string;
  last: string;
}
const every = (first: string, last: string): number[] =>
  Array.from({ length: parseInt(last, 16) - parseInt(first, 16) + 1 }, (_, at) => parseInt(first, 16) + at);

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

test('docs/protocol.md has the fixed text of an opening and the code points of the vectors', () => {
  expect(page).toContain(`\n${OPENING_NOTE}\n`);
  const [, block = ''] = /```text code points\n([^]*?)```/.exec(page)!;
  const sets: Record<string, string[]> = {};
  let name = '';
  for (const word of block.split(/\s+/).filter(Boolean))
    if (/^[a-z]+$/.test(word)) sets[(name = word)] = [];
    else sets[name]!.push(word);
  const { unseen, at_work: atWork } = readVector('valid/unseen-characters') as Record<
    string,
    { after: Range[]; unseen: Range[] }[]
  >;
  const points = (ranges: readonly Range[]) =>
    new Set(ranges.flatMap(({ first, last }) => every(first, last)));
  const listed = (words: readonly string[] = []) =>
    points(words.map((word) => ({ first: word.split('-')[0]!, last: word.split('-').at(-1)! })));
  expect(listed(sets['unseen'])).toEqual(points(unseen as unknown as Range[]));
  const after = atWork!.map((one) => points(one.after));
  for (const set of ['joining', 'symbols', 'ideographs', 'mongolian'])
    expect(after).toContainEqual(listed(sets[set]));
});

test('docs/protocol.md names the schema', () => {
  expect(page).toContain(SCHEMA);
});
