// docs/conventions.md#forecast-hubs
import { bad } from './conventions.mjs';
import { seeded, seededUuid, sha256 } from './rules.mjs';

const FILE = seeded('a hub file').toString('hex');
const ID = seededUuid('an earlier submission');
const FIRST = 'svc-hub:v1 hub=org/flu-hub round=2026-01-03 model=weir-ar_2';
const WINDOW = 'opens=2025-12-28T05:00:00Z closes=2026-01-01T04:59:59Z';
const PARTS = `${FIRST} file=${FILE} ${WINDOW}`;
const hub = (more = {}) => ({
  kind: 'hub',
  hub: 'org/flu-hub',
  round: '2026-01-03',
  model: 'weir-ar_2',
  file: FILE,
  opens: '2025-12-28T05:00:00Z',
  closes: '2026-01-01T04:59:59Z',
  prev: null,
  note: '',
  ...more,
});

const WORDS = {
  'a first file': [PARTS, hub()],
  'a changed file': [`${PARTS} prev=${ID}`, hub({ prev: ID })],
  'a note below': [`${PARTS}\nWith new data.`, hub({ note: 'With new data.' })],
  'more spaces': [PARTS.replaceAll(' ', '  ').concat(' '), hub()],
  'a round without a date': [
    PARTS.replace('2026-01-03', '2025_2026_1_flu'),
    hub({ round: '2025_2026_1_flu' }),
  ],
  'a window of a second': [
    PARTS.replace('2025-12-28T05:00:00Z', '2026-01-01T04:59:59Z'),
    hub({ opens: '2026-01-01T04:59:59Z' }),
  ],
  'no window': [`${FIRST} file=${FILE}`, bad()],
  'a window that closes before it opens': [PARTS.replace('2025-12-28', '2026-12-28'), bad()],
  'a day that does not exist': [PARTS.replace('2025-12-28', '2025-02-30'), bad()],
  'a time with an offset': [PARTS.replace('05:00:00Z', '00:00:00-05:00'), bad()],
  'a time with a fraction': [PARTS.replace('05:00:00Z', '05:00:00.5Z'), bad()],
  'a model without a team': [PARTS.replace('weir-ar_2', 'weir'), bad()],
  'a model with two hyphens': [PARTS.replace('weir-ar_2', 'weir-ar-2'), bad()],
  'a file in upper case': [PARTS.replace(FILE, FILE.toUpperCase()), bad()],
  'the parts in another order': [
    PARTS.replace('hub=org/flu-hub round=2026-01-03', 'round=2026-01-03 hub=org/flu-hub'),
    bad(),
  ],
  'a code as the earlier file': [`${PARTS} prev=abc234`, bad()],
  'two earlier files': [`${PARTS} prev=${ID} prev=${ID}`, bad()],
  'another version': [PARTS.replace('v1', 'v2'), bad()],
  'a name that only begins so': ['svc-hubs:v1 hub', { kind: 'text', reason: false }],
};

const salted = (name, text) => {
  const salt = seeded(`the salt of ${name}`);
  const hash = sha256(Buffer.concat([salt, Buffer.from(text)]));
  return { name, text, salt: salt.toString('hex'), file: hash.toString('hex') };
};

const time = (at, state, seconds) => ({ opens: hub().opens, closes: hub().closes, at, state, seconds });

export const hubVectors = () => [
  [
    'valid/conventions-hubs',
    {
      about: 'Files of forecast hubs: words, salted hashes, and times against the window.',
      cases: Object.entries(WORDS).map(([name, [words, read]]) => ({ name, words, read })),
      files: [salted('an empty file', ''), salted('a row', 'location,value\nUS,5\n')],
      times: [
        time('2025-12-28T04:59:59Z', 'early', 1),
        time('2025-12-28T05:00:00Z', 'on_time', 0),
        time('2026-01-01T04:59:59Z', 'on_time', 0),
        time('2026-01-01T04:59:59.900Z', 'on_time', 0),
        time('2026-01-01T05:00:00Z', 'late', 1),
        time('2026-01-02T05:00:00.000Z', 'late', 86_401),
      ],
    },
  ],
];
