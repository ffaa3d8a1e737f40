// docs/conventions.md
import { planted } from './planted.mjs';
import { seeded, seededUuid, sha256, tree } from './rules.mjs';

const hex = (name) => seeded(name).toString('hex');
const ID = seededUuid('a target');
const [A, B] = [hex('file a'), hex('file b')];
const named = (count, each) => Array.from({ length: count }, (_, at) => `o${at}=${each}`).join(' ');

/** `text`: the words begin like a convention and do not follow it. */
const WORDS = {
  'a text': ['It will rain.', { kind: 'text', reason: false }],
  'a text that speaks of a convention': ['The tag is svc-forecast:v1 yes=1', { kind: 'text', reason: false }],
  'another version': ['svc-forecast:v2 yes=1', { kind: 'text', reason: true }],
  'no version': ['svc-files', { kind: 'text', reason: true }],
  'a name that only begins so': ['svc-forecasts:v1 yes=1', { kind: 'text', reason: false }],
  'yes alone': ['svc-forecast:v1 yes=0.72', outcomes({ yes: 720000, no: 280000 })],
  'yes, and why': [
    'svc-forecast:v1 yes=0.72\nThe wind turns.\n',
    outcomes({ yes: 720000, no: 280000 }, 'The wind turns.\n'),
  ],
  'a line end of two characters': ['svc-forecast:v1 yes=1\r\nSo.', outcomes({ yes: 1000000, no: 0 }, 'So.')],
  'more spaces': ['svc-forecast:v1  yes=0.5   no=0.5 ', outcomes({ yes: 500000, no: 500000 })],
  'no alone, which is certain': ['svc-forecast:v1 no=1', outcomes({ no: 1000000 })],
  'no alone': ['svc-forecast:v1 no=0.28', bad],
  'six decimals that sum exactly': [
    'svc-forecast:v1 a=0.333333 b=0.333333 c=0.333334',
    outcomes({ a: 333333, b: 333333, c: 333334 }),
  ],
  'tenths that floating point would not sum': [
    'svc-forecast:v1 a=0.1 b=0.2 c=0.7',
    outcomes({ a: 100000, b: 200000, c: 700000 }),
  ],
  'a millionth too little': ['svc-forecast:v1 a=0.333333 b=0.333333 c=0.333333', bad],
  'a millionth too much': ['svc-forecast:v1 yes=0.5 no=0.500001', bad],
  'seven decimals': ['svc-forecast:v1 yes=0.1234567', bad],
  'a percentage': ['svc-forecast:v1 yes=72%', bad],
  NaN: ['svc-forecast:v1 yes=NaN', bad],
  'an exponent': ['svc-forecast:v1 yes=1e-1', bad],
  'a comma': ['svc-forecast:v1 yes=0,72', bad],
  'no digit before the point': ['svc-forecast:v1 yes=.72', bad],
  'more than one': ['svc-forecast:v1 yes=1.000001', bad],
  'less than nothing': ['svc-forecast:v1 yes=-0.1 no=1.1', bad],
  'nothing behind the tag': ['svc-forecast:v1', bad],
  'a space before =': ['svc-forecast:v1 yes =0.72', bad],
  'an outcome twice': ['svc-forecast:v1 a=0.5 a=0.5', bad],
  '100 outcomes': [
    `svc-forecast:v1 ${named(100, '0.01')}`,
    outcomes(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`o${at}`, 10000]))),
  ],
  '101 outcomes': [`svc-forecast:v1 ${named(100, '0.01')} o100=0`, bad],
  'an outcome of 40 characters': [
    `svc-forecast:v1 ${'é'.repeat(40)}=1`,
    outcomes({ ['é'.repeat(40)]: 1000000 }),
  ],
  'an outcome of 41 characters': [`svc-forecast:v1 ${'e'.repeat(41)}=1`, bad],
  'an outcome called void': ['svc-forecast:v1 void=1', bad],
  'a direction in an outcome': ['svc-forecast:v1 \u202eyes=1', bad],
  'an outcome with a space that is not seen': ['svc-forecast:v1 yes\u200b=1', bad],
  'a control character': ['svc-forecast:v1 yes=1\u0007', bad],
  'a tab': ['svc-forecast:v1\tyes=1', bad],
  quantiles: [
    'svc-forecast:v1 q10=-3 q50=5.5 q90=9',
    quantiles([
      [10, '-3'],
      [50, '5.5'],
      [90, '9'],
    ]),
  ],
  'quantiles in another order': [
    'svc-forecast:v1 q90=9 q10=3',
    quantiles([
      [10, '3'],
      [90, '9'],
    ]),
  ],
  'equal quantiles': [
    'svc-forecast:v1 q5=3 q95=3.000000',
    quantiles([
      [5, '3'],
      [95, '3.000000'],
    ]),
  ],
  'quantiles that fall': ['svc-forecast:v1 q10=9 q90=3', bad],
  'quantiles that fall by a millionth': ['svc-forecast:v1 q10=999999999999.000001 q90=999999999999', bad],
  'a quantile of 0': ['svc-forecast:v1 q0=1', bad],
  'a quantile of 100': ['svc-forecast:v1 q100=1', bad],
  'quantiles beside outcomes': ['svc-forecast:v1 q10=3 yes=1', bad],
  'a value of thirteen digits': ['svc-forecast:v1 q50=1000000000000', bad],
  'a value with a leading zero': ['svc-forecast:v1 q50=05', bad],
  'a resolution': [
    `svc-resolution:v1 ${ID} yes https://example.org/a b`,
    { kind: 'resolution', target: ID, outcome: 'yes', source: 'https://example.org/a b', reasoning: '' },
  ],
  'a resolution by a value': [
    `svc-resolution:v1 ${ID} -12.5 gauge\nRead at noon.`,
    { kind: 'resolution', target: ID, outcome: '-12.5', source: 'gauge', reasoning: 'Read at noon.' },
  ],
  'a resolution as void': [
    `svc-resolution:v1 ${ID} void broken`,
    { kind: 'resolution', target: ID, outcome: 'void', source: 'broken', reasoning: '' },
  ],
  'a resolution without source': [`svc-resolution:v1 ${ID} yes`, bad],
  'a resolution without outcome': [`svc-resolution:v1 ${ID}`, bad],
  'a resolution of what has no id': ['svc-resolution:v1 rain yes gauge', bad],
  'a resolution of an id in upper case': [`svc-resolution:v1 ${ID.toUpperCase()} yes gauge`, bad],
  'a list of files': [
    `svc-files:v1\n${A}  a.txt\n${B}  b/c d.txt\n`,
    list([
      ['a.txt', A],
      ['b/c d.txt', B],
    ]),
  ],
  'a list without its last line end': [`svc-files:v1\n${A}  a.txt`, list([['a.txt', A]])],
  'a list with a note': [
    `svc-files:v1\n${A}  a.txt\n\nFrom the gauge.\n`,
    list([['a.txt', A]], 'From the gauge.\n'),
  ],
  'a list with a hash below it': [`svc-files:v1\n${A}  a.txt\n\n${B}  b.txt\n`, bad],
  'no list': ['svc-files:v1', bad],
  'a note alone': ['svc-files:v1\n\nNone.', bad],
  'one space': [`svc-files:v1\n${A} a.txt\n`, bad],
  'the mark of binary mode': [`svc-files:v1\n${A} *a.txt\n`, bad],
  'a hash in upper case': [`svc-files:v1\n${A.toUpperCase()}  a.txt\n`, bad],
  'an absolute name': [`svc-files:v1\n${A}  /etc/passwd\n`, bad],
  'a drive': [`svc-files:v1\n${A}  C:/a.txt\n`, bad],
  'a name that leads out': [`svc-files:v1\n${A}  a/../../b\n`, bad],
  'dots that do not': [`svc-files:v1\n${A}  a..b/...\n`, list([['a..b/...', A]])],
  'a dot': [`svc-files:v1\n${A}  ./a.txt\n`, bad],
  'an empty part': [`svc-files:v1\n${A}  a//b\n`, bad],
  'a backslash': [`svc-files:v1\n${A}  a\\b\n`, bad],
  'standard input': [`svc-files:v1\n${A}  -\n`, bad],
  'a carriage return': [`svc-files:v1\n${A}  a.txt\r\n`, bad],
  'a name that turns around': [`svc-files:v1\n${A}  invoice\u202efdp.exe\n`, bad],
  'a name with what is not seen': [`svc-files:v1\n${A}  a\u200b.txt\n`, bad],
  'a name with a joiner at work': [`svc-files:v1\n${A}  👩\u200d🌾.png\n`, list([['👩\u200d🌾.png', A]])],
  'two equal names': [`svc-files:v1\n${A}  a.txt\n${B}  a.txt\n`, bad],
  'two names that look the same': [`svc-files:v1\n${A}  \u00e9\n${B}  e\u0301\n`, bad],
  'a root': [`svc-files:v1 root=${A} files=3`, { kind: 'files', form: 'root', root: A, count: 3, note: '' }],
  'a root with a note': [
    `svc-files:v1 root=${A} files=10000\nAll of it.`,
    { kind: 'files', form: 'root', root: A, count: 10000, note: 'All of it.' },
  ],
  'a root without a number': [`svc-files:v1 root=${A}`, bad],
  'a root of no file': [`svc-files:v1 root=${A} files=0`, bad],
  'a root of 10,001': [`svc-files:v1 root=${A} files=10001`, bad],
  'a root in upper case': [`svc-files:v1 root=${A.toUpperCase()} files=1`, bad],
  'a root, and more': [`svc-files:v1 root=${A} files=1 salt=1`, bad],
};

export function bad() {
  return { kind: 'text', reason: true };
}
export function outcomes(of, reasoning = '') {
  return {
    kind: 'forecast',
    form: 'outcomes',
    outcomes: Object.entries(of).map(([name, millionths]) => ({ name, millionths })),
    reasoning,
  };
}
function quantiles(of) {
  return {
    kind: 'forecast',
    form: 'quantiles',
    quantiles: of.map(([level, value]) => ({ level, value })),
    reasoning: '',
  };
}
export function list(of, note = '') {
  return { kind: 'files', form: 'list', files: of.map(([name, sha]) => ({ name, sha256: sha })), note };
}

const asks = (names) => ({ asks: 'outcomes', outcomes: names });
const QUESTIONS = [
  ['Will it rain? [yes|no]', asks(['yes', 'no'])],
  ['Which? [red|green|blue] ', asks(['red', 'green', 'blue'])],
  ['Which? [ red | green ]', asks(['red', 'green'])],
  ['How much? [number: mm]', { asks: 'number', unit: 'mm' }],
  ['How many? [number:  ships a week ]', { asks: 'number', unit: 'ships a week' }],
  ['How much? [number]', { asks: 'text', reason: true }],
  ['How much? [number: ]', { asks: 'text', reason: true }],
  ['When?', { asks: 'text', reason: false }],
  ['Is [yes|no] an answer?', { asks: 'text', reason: false }],
  ['Which? [red]', { asks: 'text', reason: true }],
  ['Which? [red|red]', { asks: 'text', reason: true }],
  ['Which? [red|]', { asks: 'text', reason: true }],
  ['Which? [red|void]', { asks: 'text', reason: true }],
  ['Which? [q10|q90]', { asks: 'text', reason: true }],
  ['Where? [New York|Paris]', { asks: 'text', reason: true }],
  ['Where? [\u202eyes|no]', { asks: 'text', reason: true }],
];

export function fileTree(size) {
  const files = Array.from({ length: size }, (_, at) => ({
    name: at === 0 ? 'Größe/📏 table.csv' : `folder ${at % 3}/file ${at}.txt`,
    size: at === 0 ? 2 ** 40 + 1 : seeded(`size ${at}`).readUInt16BE(0),
    sha256: hex(`content ${size} ${at}`),
    salt: hex(`salt ${size} ${at}`),
  }));
  return treeOver(files.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))));
}

export function treeOver(files) {
  const leaves = files.map(({ name, size: bytes, sha256: content, salt }) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes));
    return sha256(
      Buffer.of(0),
      Buffer.from(salt, 'hex'),
      Buffer.from(content, 'hex'),
      length,
      Buffer.from(name),
    );
  });
  const { root, proofs } = tree(leaves);
  return {
    words: `svc-files:v1 root=${root} files=${files.length}`,
    manifest: { _format: 'svc-files-manifest:v1', root, files },
    leaves: leaves.map((leaf) => leaf.toString('hex')),
    disclosures: files.map((file, at) => ({
      _format: 'svc-files-disclosure:v1',
      root,
      files: files.length,
      file,
      proof: proofs[at],
    })),
  };
}

export function* conventionVectors() {
  yield [
    'valid/conventions-words',
    {
      about:
        'What is read of words. `reason: true` says that they begin as a convention and are none; then they are a text.',
      cases: Object.entries(WORDS).map(([name, [words, read]]) => ({
        name,
        words,
        read: typeof read === 'function' ? read() : read,
      })),
      questions: QUESTIONS.map(([question, asked]) => ({ question, asked })),
    },
  ];
  yield [
    'valid/conventions-files',
    { about: 'Salted files, and the trees over them.', trees: [1, 2, 3, 7, 20].map(fileTree) },
  ];
  const { records, challenges, expected } = planted(3, 15);
  yield [
    'valid/conventions-forecasts',
    {
      about: 'Records and challenges, and how many forecasts of each account are in which state.',
      etches: [...records.values()].flat(),
      challenges,
      accounts: [...expected].map(([username, counts]) => ({ username, counts })),
    },
  ];
}
