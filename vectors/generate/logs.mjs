// Splits the trees recursively, as RFC 6962 defines them (docs/conventions.md#append-only-logs).
import { bad } from './conventions.mjs';
import { seeded, seededUuid, sha256 } from './rules.mjs';

const ROOT = seeded('a log').toString('hex');
const ID = seededUuid('an earlier state');
const log = (lines, prev = null, note = '') => ({ kind: 'log', root: ROOT, lines, prev, note });

const WORDS = {
  'a first state': [`svc-log:v1 root=${ROOT} lines=12`, log(12)],
  'a later state': [`svc-log:v1 root=${ROOT} lines=20 prev=${ID}`, log(20, ID)],
  'a note below': [`svc-log:v1 root=${ROOT} lines=20 prev=${ID}\nRun 7.`, log(20, ID, 'Run 7.')],
  'an empty log': [`svc-log:v1 root=${ROOT} lines=0`, log(0)],
  'no number of lines': [`svc-log:v1 root=${ROOT}`, bad()],
  'a number with a zero in front': [`svc-log:v1 root=${ROOT} lines=012`, bad()],
  'fewer than no lines': [`svc-log:v1 root=${ROOT} lines=-1`, bad()],
  'the parts in another order': [`svc-log:v1 lines=12 root=${ROOT}`, bad()],
  'a root in upper case': [`svc-log:v1 root=${ROOT.toUpperCase()} lines=12`, bad()],
  'a short root': [`svc-log:v1 root=${ROOT.slice(1)} lines=12`, bad()],
  'a code as the earlier state': [`svc-log:v1 root=${ROOT} lines=12 prev=abc234`, bad()],
  'two earlier states': [`svc-log:v1 root=${ROOT} lines=12 prev=${ID} prev=${ID}`, bad()],
  'another version': [`svc-log:v2 root=${ROOT} lines=12`, bad()],
  'a name that only begins so': ['svc-logs:v1 root', { kind: 'text', reason: false }],
};

const number = (value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const saltOf = (salt, line) => sha256(Buffer.concat([salt, number(line)]));
const leafOf = (salt, line) => sha256(Buffer.concat([Buffer.of(0), salt, line]));

const split = (size) => 2 ** Math.ceil(Math.log2(size) - 1);

function rootOf(leaves) {
  if (leaves.length === 0) return sha256(Buffer.alloc(0));
  if (leaves.length === 1) return leaves[0];
  const at = split(leaves.length);
  return sha256(Buffer.concat([Buffer.of(1), rootOf(leaves.slice(0, at)), rootOf(leaves.slice(at))]));
}

function proofOf(leaves, index) {
  if (leaves.length === 1) return [];
  const at = split(leaves.length);
  return index < at
    ? [...proofOf(leaves.slice(0, at), index), rootOf(leaves.slice(at))]
    : [...proofOf(leaves.slice(at), index - at), rootOf(leaves.slice(0, at))];
}

const hex = (bytes) => bytes.toString('hex');

function file(name, text) {
  const salt = seeded(`the salt of ${name}`);
  const bytes = Buffer.from(text);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const leaves = lines.map((line, at) => leafOf(saltOf(salt, at + 1), Buffer.from(line)));
  return {
    name,
    file: bytes.toString('base64'),
    salt: hex(salt),
    leaves: leaves.map(hex),
    roots: Array.from({ length: lines.length + 1 }, (_, size) => hex(rootOf(leaves.slice(0, size)))),
    proofs: leaves.map((_, at) => ({ line: at + 1, proof: proofOf(leaves, at).map(hex) })),
  };
}

export const logVectors = () => [
  [
    'valid/conventions-logs',
    {
      about:
        'Append-only logs: words, and trees over the lines of files. `roots[n]` is the root of the first n lines.',
      cases: Object.entries(WORDS).map(([name, [words, read]]) => ({ name, words, read })),
      files: [
        file('an empty file', ''),
        file('a line without LF', 'one'),
        file('a line', 'one\n'),
        file('an empty line', '\n'),
        file('CR LF', 'one\r\ntwo\r\n'),
        file('eleven lines', Array.from({ length: 11 }, (_, at) => `step ${at + 1} ü`).join('\n')),
      ],
    },
  ],
];
