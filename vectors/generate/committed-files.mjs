import { treeOver } from './conventions.mjs';
import { seeded, sha256 } from './rules.mjs';
import { scenario, TRUST } from './scenario.mjs';

const [COMPOSED, APART] = ['Gr\u00f6\u00dfe/\u00e9t\u00e9.txt', 'Gro\u0308\u00dfe/e\u0301te\u0301.txt'];
const FILES = { [COMPOSED]: 'summer\n', 'plan.txt': 'a plan\n' };
const hash = (text) => sha256(Buffer.from(text)).toString('hex');

const listOf = (files, end = '\n') =>
  ['svc-files:v1', ...Object.entries(files).map(([name, text]) => `${hash(text)}  ${name}`), ''].join(end);

function manifestOf(files) {
  const salted = Object.entries(files)
    .map(([name, text]) => ({
      name,
      size: Buffer.byteLength(text),
      sha256: hash(text),
      salt: seeded(`salt of ${name}`).toString('hex'),
    }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  return treeOver(salted);
}

const apart = { [APART]: FILES[COMPOSED], 'plan.txt': FILES['plan.txt'] };
const salted = manifestOf(FILES);
const saltedApart = manifestOf(apart);
const other = manifestOf({ ...FILES, 'plan.txt': 'another plan\n' });

const CASES = {
  'the same folder': ['pass', listOf(FILES), FILES],
  'names that the file system takes apart': ['pass', listOf(FILES), apart],
  'names that the words have apart': ['pass', listOf(apart), FILES],
  'a list with CR LF': ['pass', listOf(FILES, '\r\n'), apart],
  'a manifest, names that the file system takes apart': ['pass', salted.words, apart, salted.manifest],
  'a manifest with names apart': ['pass', saltedApart.words, FILES, saltedApart.manifest],
  'a file changed': ['fail', listOf(FILES), { ...FILES, 'plan.txt': 'another plan\n' }],
  'a file missing': ['fail', listOf(FILES), { 'plan.txt': FILES['plan.txt'] }],
  'a file more': ['fail', listOf(FILES), { ...FILES, 'more.txt': '' }],
  'a file renamed': ['fail', listOf(FILES), { [COMPOSED]: FILES[COMPOSED], 'Plan.txt': FILES['plan.txt'] }],
  'a manifest and a file changed': [
    'fail',
    salted.words,
    { ...apart, 'plan.txt': 'another plan\n' },
    salted.manifest,
  ],
  'a manifest of other words': ['fail', salted.words, FILES, other.manifest],
  'words that commit to no file': ['fail', 'It will rain.', FILES],
};

export function* committedFileVectors() {
  yield [
    'valid/committed-files',
    {
      about:
        'Receipts whose words commit to files, all of which hold by themselves, and the files of a folder by their names there: does the folder agree? `manifest` is there where the words hold a root.',
      trust: TRUST,
      cases: Object.entries(CASES).map(([name, [expect, content, files, manifest = null]]) => {
        const { receipt, chain } = scenario(`files: ${name}`, { content });
        return { name, expect, receipt, chain, files, manifest };
      }),
    },
  ];
}
