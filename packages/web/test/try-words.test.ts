import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { canonicalString, etchHash, type Receipt } from '@svc/protocol';
import { pathToRoot } from '@svc/verifier';
import { expect, test } from 'vitest';
import { chooseExample, howToVerifyPage, ISLANDS_FOLDER } from '../src/index.ts';
import { etch, pending, retracted, sealed, site, textOf } from '../../../testing/views.ts';
import { splitCanonical, toldOf, tryWords } from '../src/try-words.ts';

const vector = (
  JSON.parse(
    readFileSync(new URL('../../../vectors/valid/receipt-instant.json', import.meta.url), 'utf8'),
  ) as { receipt: Receipt }
).receipt;
const none = chooseExample([]);

function written(content: string) {
  const author = etch().author;
  const canonical_string = canonicalString({
    userId: author.user_id,
    createdAt: '2026-01-02T03:04:05.000Z',
    salt: 'ab'.repeat(32),
    content,
  });
  const hash = etchHash(canonical_string);
  const proof = ['2'.repeat(64)];
  const root = pathToRoot(2, author.user_id, hash, proof).at(-1)!;
  return etch({ content, canonical_string, hash, chain: { ...etch().chain, root, proof } });
}

test('uses the vector from its file if the service has no suitable etch', () => {
  const { before, userId, words } = splitCanonical(vector.canonical_string!)!;
  const { proof, root, tree_version: version } = vector.inclusion!;
  expect(none).toEqual({ words, tryable: { before, userId, hash: vector.hash, version, proof, root } });
  expect(textOf(howToVerifyPage(site, none).html)).toContain('They are on no chain.');
});

test('unchanged words pass, and one more letter, blank or comma breaks hash and root', () => {
  const told = (words: string) => toldOf(tryWords(none.tryable, words));
  expect(tryWords(none.tryable, none.words)).toEqual({
    hash: vector.hash,
    root: vector.inclusion!.root,
    holds: true,
    differing: 0,
  });
  expect(told(none.words).verdict).toBe('same');
  for (const words of ['it will rain on Sunday.', `${none.words} `, 'It will rain, on Sunday.', '']) {
    const tried = tryWords(none.tryable, words)!;
    expect(tried.hash).toBe(etchHash(none.tryable.before + words));
    expect(tried.root).not.toBe(vector.inclusion!.root);
    expect(tried.differing).toBeGreaterThan(40);
    expect(told(words)).toMatchObject({
      verdict: 'other',
      headline: expect.stringContaining('different words'),
    });
  }
  expect(told('\ud800').headline).toBe('An etch cannot contain this text.');
  // The words make the hash, but the tree has a different root.
  expect(tryWords({ ...none.tryable, root: '0'.repeat(64) }, none.words)!.holds).toBe(false);
});

test('chooses an open, anchored etch of one plain line that fits the field', () => {
  const good = written("It's 5 o'clock: $(true) `x` | 鷺");
  const not = [
    sealed(),
    retracted(),
    written('svc-files:v1 {}'),
    written('two\nlines'),
    written('with a \u202e turn'),
    written('x'.repeat(281)),
    { ...good, chain: pending },
  ];
  expect(chooseExample(not)).toEqual(none);
  expect(chooseExample([...not, good]).etch).toBe(good);
});

test.each([none, chooseExample([written("It's 5 o'clock: $(true) `x` | 鷺")])])(
  'the command that is shown prints the hash that it says it prints: $words',
  (example) => {
    const text = textOf(howToVerifyPage(site, example).html);
    const [, command, said] = /(printf %s '.*' \| sha256sum)\s*It prints ([0-9a-f]{64})/s.exec(text)!;
    expect(execFileSync('sh', ['-c', command!], { encoding: 'utf8' })).toBe(`${said}  -\n`);
    expect(said).toBe(example.tryable.hash);
  },
);

test('the script that tries words weighs at most 6 kB, and uses the published verifier’s SHA-256', () => {
  const { files } = JSON.parse(readFileSync(new URL('manifest.json', ISLANDS_FOLDER), 'utf8')) as {
    files: Record<string, string>;
  };
  const island = readFileSync(new URL(files['try.js']!, ISLANDS_FOLDER));
  expect(gzipSync(island, { level: 9 }).length).toBeLessThanOrEqual(6_000);
  for (const constant of [0x428a2f98, 0xc67178f2]) expect(island.toString()).toContain(String(constant));
});
