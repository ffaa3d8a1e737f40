// Runs without a database.
import { execFileSync } from 'node:child_process';
import { canonicalString, etchHash } from '@svc/protocol';
import { pathToRoot } from '@svc/verifier';
import { expect, test } from 'vitest';
import { chooseExample } from '@svc/web/try-example';
import { howToVerifyPage } from '../../../src/http/pages/how-to-verify.tsx';
import { receiptVector } from '../../../../../testing/vectors/receipts.ts';
import { etch, pending, retracted, sealed, site, textOf } from '../../../../../testing/views.ts';
import { splitCanonical, resultOf, tryWords } from '@svc/web/try-words';

const { receipt: vector } = receiptVector('valid/receipt-instant');
const none = chooseExample([]);

function written(content: string) {
  const author = etch().author;
  const parts = { userId: author.user_id, createdAt: '2026-01-02T03:04:05.000Z', salt: 'ab'.repeat(32) };
  const canonical_string = canonicalString({ ...parts, content });
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
  const resultFor = (words: string) => resultOf(tryWords(none.tryable, words));
  const { hash, inclusion } = vector;
  const same = { hash, root: inclusion!.root, holds: true, differing: 0 };
  expect(tryWords(none.tryable, none.words)).toEqual(same);
  expect(resultFor(none.words).verdict).toBe('same');
  for (const words of ['it will rain on Sunday.', `${none.words} `, 'It will rain, on Sunday.', '']) {
    const tried = tryWords(none.tryable, words)!;
    expect(tried.hash).toBe(etchHash(none.tryable.before + words));
    expect(tried.root).not.toBe(vector.inclusion!.root);
    expect(tried.differing).toBeGreaterThan(40);
    expect(resultFor(words).verdict).toBe('other');
    expect(resultFor(words).headline).toContain('different words');
  }
  expect(resultFor('\ud800').headline).toBe('An etch cannot contain this text.');
  // The words make the hash, but the tree has a different root.
  expect(tryWords({ ...none.tryable, root: '0'.repeat(64) }, none.words)!.holds).toBe(false);
});

test('chooses an open, anchored etch of one plain line that fits the field', () => {
  const good = written("It's 5 o'clock: $(true) `x` | 鷺");
  const texts = ['svc-files:v1 {}', 'two\nlines', 'with a \u202e turn', 'x'.repeat(281)];
  const not = [sealed(), retracted(), ...texts.map(written), { ...good, chain: pending }];
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
