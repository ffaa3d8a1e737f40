import { createHash } from 'node:crypto';
import { bytesToHex } from '@svc/protocol';
import * as conventions from '@svc/protocol/conventions';
import {
  discloseFile,
  fileLeaf,
  fileListWords,
  fileRootWords,
  forecastWords,
  hubTime,
  hubWords,
  isBinary,
  isOutcomeName,
  makeManifest,
  parseDisclosure,
  parseForecast,
  parseManifest,
  parseQuestion,
  readWords,
  resolutionWords,
} from '@svc/protocol/conventions';
import { describe, expect, test } from 'vitest';
import { invalidVectors, readVector } from '../../../../testing/vectors/vectors.ts';

const vectors = [
  'valid/conventions-words',
  'valid/conventions-first-lines',
  'valid/conventions-spaces',
  'valid/conventions-spaced-outcomes',
].map((path) => readVector(path));
const cases = [
  ...vectors,
  readVector('valid/conventions-logs'),
  readVector('valid/conventions-scopes'),
  readVector('valid/conventions-hubs'),
].flatMap((vector) => vector.cases);
const questions = vectors.flatMap((vector) => vector.questions);
/** With quantile levels. */
const { questions: numeric } = readVector('valid/conventions-levels');

/** Compares only the presence of a reason. */
const withoutWording = (read: any) => ('reason' in read ? { ...read, reason: read.reason !== null } : read);

test.each(cases as { name: string; words: string; read: any }[])('$name', ({ words, read }) => {
  expect(withoutWording(readWords(words))).toEqual(read);
});

test.each(questions as { question: string; asked: any }[])('$question', ({ question, asked }) => {
  const levels = asked.asks === 'number' && { levels: [10, 50, 90] };
  expect(withoutWording(parseQuestion(question))).toEqual({ ...asked, ...levels });
});

test.each(numeric as { question: string; asked: any }[])('$question', ({ question, asked }) => {
  const { reason, ...read } = withoutWording(parseQuestion(question));
  expect(read).toEqual(asked);
  expect(reason).toBe(asked.asks === 'text' ? true : undefined);
});

const hubs = readVector('valid/conventions-hubs');

test.each(hubs.times as any[])('$at is $state', ({ opens, closes, at, state, seconds }) => {
  expect(hubTime({ opens, closes }, at)).toEqual({ state, seconds });
});

test.each(hubs.files as any[])('salts $name of a hub', ({ text, salt, file }) => {
  const hash = createHash('sha256').update(Buffer.from(salt, 'hex')).update(text);
  const words = { ...hubs.cases[0].read, file: hash.digest('hex') };
  expect(readWords(hubWords(words))).toEqual({ ...words, file });
});

const target = 'ba2700ee-b11f-45fe-a934-06098975d379';
const sha256 = 'ab'.repeat(32);
const named = (...names: string[]) => names.map((name) => ({ name, sha256 }));
const listing = (...names: string[]) => fileListWords(named(...names));

test('reads back the words that it writes', () => {
  const files = named('b', 'a');
  expect(readWords(fileListWords(files, 'Both.'))).toMatchObject({ form: 'list', files, note: 'Both.' });
  expect(readWords(fileRootWords({ root: sha256, count: 2 }, 'x'))).toMatchObject({ count: 2, note: 'x' });
  expect(readWords(forecastWords(['red=0.5', 'blue=0.5'], 'y'))).toMatchObject({ reasoning: 'y' });
  const said = readWords(resolutionWords({ target, outcome: 'void', source: 'a b' }));
  expect(said).toMatchObject({ source: 'a b' });
});

test.each([
  ['probabilities that do not sum to 1', () => forecastWords(['a=0.5', 'b=0.4']), 'sum to 0.9, not to 1'],
  [
    'no alone',
    () => forecastWords(['no=0.3']),
    'sum to 0.3, not to 1: a single probability is written as yes=…',
  ],
  ['NaN', () => forecastWords(['yes=NaN']), 'NaN is not a probability: write a decimal from 0 to 1'],
  ['101 outcomes', () => forecastWords(Array(101).fill('a=0')), 'at most 100 outcomes, not 101'],
  ['a line break in an outcome', () => forecastWords(['yes=0.5\nno=0.5']), 'sum|rest|no'],
  ['an absolute path', () => listing('/a'), '"/a" is absolute'],
  ['a path outside the folder', () => listing('../a'), 'leads out of its folder'],
  ['a name of two lines', () => listing('a\nb'), 'contains U\\+000A'],
  ['two equal names', () => listing('a', 'a'), 'two files have the name "a"'],
  ['no file', () => listing(), 'names no file'],
  [
    'no source',
    () => resolutionWords({ target, outcome: 'yes', source: '' }),
    'write a source after the outcome',
  ],
])('does not write %s', (_what, write, why) => {
  if (why !== 'sum|rest|no') expect(write).toThrow(new RegExp(why));
  else expect(readWords(write())).toMatchObject({ reasoning: 'no=0.5' });
});

describe.each(readVector('valid/conventions-files').trees as any[])(
  'files under $words',
  ({ words, manifest, leaves, disclosures }) => {
    const size: number = leaves.length;
    test('has the leaves, root, words and proofs of the vector', () => {
      expect(manifest.files.map((file: any) => bytesToHex(fileLeaf(file)))).toEqual(leaves);
      const made = makeManifest([...manifest.files].reverse());
      expect(made).toEqual(manifest);
      expect(fileRootWords({ root: made.root, count: size })).toBe(words);
      expect(parseManifest(manifest)).toEqual(manifest);
      for (const disclosure of disclosures) {
        expect(discloseFile(manifest, disclosure.file.name)).toEqual(disclosure);
        expect(parseDisclosure(disclosure)).toEqual(disclosure);
      }
    });

    test('rejects a disclosure with any part of another one', () => {
      const flip = (hex: string) => (hex[0] === '0' ? '1' : '0') + hex.slice(1);
      for (const one of disclosures) {
        const file = (change: object) => ({ ...one, file: { ...one.file, ...change } });
        const changed = [
          file({ name: `${one.file.name}x` }),
          file({ size: one.file.size + 1 }),
          file({ sha256: flip(one.file.sha256) }),
          file({ salt: flip(one.file.salt) }),
          { ...one, root: flip(one.root) },
          { ...one, proof: [...one.proof, one.root] },
          ...(size === 1 ? [] : [{ proof: one.proof.slice(1) }, { files: 1 }]).map((other) => ({
            ...one,
            ...other,
          })),
        ];
        for (const other of changed) expect(() => parseDisclosure(other)).toThrow('is not under the root');
      }
    });
  },
);

test('reads the files of a manifest in any order', () => {
  const { manifest, sorted } = readVector('valid/manifest-in-another-order');
  expect(manifest.files).not.toEqual(sorted.files);
  expect(parseManifest(manifest)).toEqual(sorted);
});

test.each(invalidVectors('manifest-'))('rejects %s', (_, { manifest }) => {
  expect(() => parseManifest(manifest)).toThrow(conventions.ConventionError);
});

test.each(invalidVectors('disclosure-'))('rejects %s', (_, { disclosure }) => {
  expect(() => parseDisclosure(disclosure)).toThrow(conventions.ConventionError);
});

describe('rejects a manifest', () => {
  const [, , { manifest }] = readVector('valid/conventions-files').trees;
  const [first, second, third] = manifest.files;
  test.each([
    ['with two equal names', [first, second, { ...third, name: first.name }], 'two files have the name'],
    ['without one of its files', [first, second], 'it was changed'],
    ['with a path outside the folder', [{ ...first, name: '../x' }], 'leads out'],
    ['with a salt of 31 bytes', [{ ...first, salt: first.salt.slice(2) }], 'salt is not'],
    ['with a size below 0', [{ ...first, size: -1 }], 'size is not'],
    ['of no file', [], 'does not list'],
    ['with another root', manifest.files, 'it was changed', { root: 'ab'.repeat(32) }],
    ['of another format', manifest.files, '_format of the manifest', { _format: 'svc-files-manifest:v2' }],
  ] as [string, unknown[], string, object?][])('%s', (_what, files, why, more) => {
    const parse = () => parseManifest({ ...manifest, files, ...more });
    expect(parse).toThrow(why);
    expect(parse).toThrow(conventions.ConventionError);
  });

  test('that is a list', () => expect(() => parseManifest([])).toThrow('not an object'));
});

describe('a forecast', () => {
  test.each([
    ['yes=0.72', true],
    ['yes=0.4 no=0.6', true],
    ['red=0.4 blue=0.6', false],
    ['yes=0.4 maybe=0.6', false],
    ['no=0.4 maybe=0.6', false],
    ['q10=1 q90=2', false],
  ])('of %s is binary: %s', (parts, binary) => {
    expect(isBinary(parseForecast(`svc-forecast:v1 ${parts}`))).toBe(binary);
  });

  test.each([
    ['yes=', /^yes= is not <outcome>/],
    ['=0.4', /^=0.4 is not <outcome>/],
    ['yes', /^yes is not <outcome>/],
    ['no=0.4', /sum to 0\.4, not to 1: a single/],
    ['red=0.4', /sum to 0\.4, not to 1$/],
    ['no=0.4 maybe=0.4', /sum to 0\.8, not to 1$/],
    ['a=0.9 b=0.65', /sum to 1\.55, not to 1$/],
  ])('of %s is rejected', (parts, message) => {
    expect(() => parseForecast(`svc-forecast:v1 ${parts}`)).toThrow(message);
  });

  test('has outcomes whose names are no quantiles', () => {
    expect(['q', 'q10x', 'xq10', 'q10', 'void'].filter(isOutcomeName)).toEqual(['q', 'q10x', 'xq10']);
  });
});
