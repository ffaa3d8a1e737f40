import { bad, list, outcomes } from './conventions.mjs';
import { seeded, seededUuid } from './rules.mjs';

const hex = (name) => seeded(name).toString('hex');
const [A, B] = [hex('file a'), hex('file b')];
const ID = seededUuid('a target');
const text = { kind: 'text', reason: false };
const yes = outcomes({ yes: 720000, no: 280000 });
const cafe = (reasoning = '') => outcomes({ 'caf\u00e9': 250000, park: 750000 }, reasoning);

/** `reason: true`: the words begin like a convention and do not follow it. */
const WORDS = {
  'a byte order mark before a forecast': ['\ufeffsvc-forecast:v1 yes=0.72', bad()],
  'a byte order mark before files': [`\ufeffsvc-files:v1 root=${A} files=3`, bad()],
  'two byte order marks': ['\ufeff\ufeffsvc-forecast:v1 yes=0.72', bad()],
  'a byte order mark before a text': ['\ufeffIt will rain.', text],
  'a space before the tag': [' svc-forecast:v1 yes=0.72', text],
  'a line end before the tag': ['\nsvc-forecast:v1 yes=0.72', text],
  'spaces at the end of the first line': ['svc-forecast:v1 yes=0.72  \nSo.', { ...yes, reasoning: 'So.' }],
  'spaces and CR LF at the end of the first line': [
    'svc-forecast:v1 yes=0.72 \r\nSo.',
    { ...yes, reasoning: 'So.' },
  ],
  'a CR within the first line': ['svc-forecast:v1 yes=0.72\rSo.', bad()],
  'a CR behind the tag': ['svc-forecast:v1\ryes=0.72', bad()],
  'a CR at the end of the words': ['svc-forecast:v1 yes=0.72\r', bad()],
  'two CR before the LF': ['svc-forecast:v1 yes=0.72\r\r\nSo.', bad()],
  'a CR in the text below': ['svc-forecast:v1 yes=0.72\nSo.\rYes.', { ...yes, reasoning: 'So.\rYes.' }],
  'version 12': ['svc-forecast:v12 yes=0.72', bad()],
  'a version and more': ['svc-forecast:v1yes=0.72', bad()],
  'a version with a zero in front': ['svc-forecast:v01 yes=0.72', bad()],
  'a version in upper case': ['svc-forecast:V1 yes=0.72', bad()],
  'an empty version': ['svc-forecast: yes=0.72', bad()],
  'a version of files and more': [`svc-files:v1root=${A} files=3`, bad()],
  'a tag in upper case': ['SVC-forecast:v1 yes=0.72', text],
  'a list with CR LF': [
    `svc-files:v1\r\n${A}  a.txt\r\n${B}  b.txt\r\n`,
    list([
      ['a.txt', A],
      ['b.txt', B],
    ]),
  ],
  'a list with CR LF, without its last line end': [`svc-files:v1\r\n${A}  a.txt`, list([['a.txt', A]])],
  'a list with CR LF and a note': [
    `svc-files:v1\r\n${A}  a.txt\r\n\r\nFrom the gauge.\r\n`,
    list([['a.txt', A]], 'From the gauge.\r\n'),
  ],
  'a list with CR LF that ends with an empty line': [
    `svc-files:v1\r\n${A}  a.txt\r\n\r\n`,
    list([['a.txt', A]]),
  ],
  'CR LF behind the tag and LF in the list': [`svc-files:v1\r\n${A}  a.txt\n${B}  b.txt\n`, bad()],
  'LF behind the tag and CR LF in the list': [`svc-files:v1\n${A}  a.txt\r\n${B}  b.txt\r\n`, bad()],
  'a CR at the end of a list': [`svc-files:v1\r\n${A}  a.txt\r`, bad()],
  'a list behind a tag with a space': [`svc-files:v1 \n${A}  a.txt\n`, list([['a.txt', A]])],
  'a space at the end of a name': [`svc-files:v1\n${A}  a.txt \n`, list([['a.txt ', A]])],
  'a root with CR LF': [
    `svc-files:v1 root=${A} files=3\r\nAll of it.`,
    { kind: 'files', form: 'root', root: A, count: 3, note: 'All of it.' },
  ],
  'an outcome in the other form of its letters': ['svc-forecast:v1 cafe\u0301=0.25 park=0.75', cafe()],
  'two outcomes that are equal in NFC': ['svc-forecast:v1 cafe\u0301=0.5 caf\u00e9=0.5', bad()],
  'an outcome of 41 characters that are 40 in NFC': [
    `svc-forecast:v1 ${'e'.repeat(39)}e\u0301=1`,
    outcomes({ [`${'e'.repeat(39)}\u00e9`]: 1000000 }),
  ],
  'a resolution in the other form of its letters': [
    `svc-resolution:v1 ${ID} cafe\u0301 gauge`,
    { kind: 'resolution', target: ID, outcome: 'caf\u00e9', source: 'gauge', reasoning: '' },
  ],
  'a resolution with a CR at the end': [`svc-resolution:v1 ${ID} yes gauge\r`, bad()],
};

const QUESTIONS = [
  ['Where? [cafe\u0301|park]', { asks: 'outcomes', outcomes: ['caf\u00e9', 'park'] }],
  ['Where? [cafe\u0301|caf\u00e9]', { asks: 'text', reason: true }],
];

export function* firstLineVectors() {
  yield [
    'valid/conventions-first-lines',
    {
      about:
        'First lines with marks, line ends, spaces and versions, and names that are composed in two ways. `reason: true` says that they begin as a convention and are none; then they are a text.',
      cases: Object.entries(WORDS).map(([name, [words, read]]) => ({ name, words, read })),
      questions: QUESTIONS.map(([question, asked]) => ({ question, asked })),
    },
  ];
}
