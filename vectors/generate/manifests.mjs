import { fileTree, treeOver } from './conventions.mjs';

const { manifest, disclosures } = fileTree(7);
const [disclosure] = disclosures;
const [first, second, ...rest] = manifest.files;
const flip = (hex) => (hex[0] === '0' ? '1' : '0') + hex.slice(1);
/** With the right root, so that nothing else is wrong. */
const withFirst = (changes) => treeOver([{ ...first, ...changes }, second, ...rest]).manifest;
const withFile = (changes) => ({ ...disclosure, file: { ...disclosure.file, ...changes } });

const MANIFESTS = {
  'another-format': { ...manifest, _format: 'svc-files-manifest:v2' },
  'another-root': { ...manifest, root: flip(manifest.root) },
  'root-in-upper-case': { ...manifest, root: manifest.root.toUpperCase() },
  'a-file-left-out': { ...manifest, files: [first, ...rest] },
  'a-name-twice': treeOver([first, { ...second, name: first.name }, ...rest]).manifest,
  'no-file': { ...manifest, files: [] },
  'size-below-0': { ...manifest, files: [{ ...first, size: -1 }, second, ...rest] },
  'size-as-text': withFirst({ size: String(first.size) }),
  'size-over-2-to-the-53': withFirst({ size: 2 ** 53 }),
  'salt-too-short': withFirst({ salt: first.salt.slice(2) }),
  'hash-in-upper-case': withFirst({ sha256: first.sha256.toUpperCase() }),
  'salt-in-a-list': { ...manifest, files: [{ ...first, salt: [first.salt] }, second, ...rest] },
  'hash-in-a-list': { ...manifest, files: [{ ...first, sha256: [first.sha256] }, second, ...rest] },
  'root-in-a-list': { ...manifest, root: [manifest.root] },
  'name-that-leads-out': withFirst({ name: '../x' }),
  'names-equal-in-nfc': treeOver([{ ...first, name: 'é' }, { ...second, name: 'e\u0301' }, ...rest]).manifest,
};

const DISCLOSURES = {
  'another-format': { ...disclosure, _format: 'svc-files-disclosure:v2' },
  'another-name': withFile({ name: `${disclosure.file.name}x` }),
  'another-size': withFile({ size: disclosure.file.size + 1 }),
  'another-hash': withFile({ sha256: flip(disclosure.file.sha256) }),
  'another-salt': withFile({ salt: flip(disclosure.file.salt) }),
  'salt-in-a-list': withFile({ salt: [disclosure.file.salt] }),
  'hash-in-a-list': withFile({ sha256: [disclosure.file.sha256] }),
  'proof-of-lists': { ...disclosure, proof: disclosure.proof.map((one) => [one]) },
  'another-root': { ...disclosure, root: flip(disclosure.root) },
  'proof-cut': { ...disclosure, proof: disclosure.proof.slice(1) },
  'proof-lengthened': { ...disclosure, proof: [...disclosure.proof, disclosure.root] },
  'number-of-files-too-small': { ...disclosure, files: 2 },
  'number-of-files-0': { ...disclosure, files: 0 },
  'number-of-files-over-10000': { ...disclosure, files: 10_001 },
};

export function* manifestVectors() {
  yield [
    'valid/manifest-in-another-order',
    {
      about: 'a manifest whose files are not in the order of their names; the root is the same',
      manifest: { ...manifest, files: manifest.files.toReversed() },
      sorted: manifest,
    },
  ];
  for (const [fault, given] of Object.entries(MANIFESTS))
    yield [
      `invalid/manifest-${fault}`,
      { about: fault.replaceAll('-', ' '), expect: 'refuse', manifest: given },
    ];
  for (const [fault, given] of Object.entries(DISCLOSURES))
    yield [
      `invalid/disclosure-${fault}`,
      { about: fault.replaceAll('-', ' '), expect: 'refuse', disclosure: given },
    ];
}
