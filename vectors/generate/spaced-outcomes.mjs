// Outcomes with spaces: version 2 of the words of forecasts and resolutions (docs/protocol.md#63-forecasts).
import { bad, outcomes } from './conventions.mjs';
import { seededUuid } from './rules.mjs';
import { caseOf, scene } from './scores.mjs';

const ID = seededUuid('a target');
const cities = (of) => outcomes({ 'New York': 600_000, 'S\u00e3o Paulo': 400_000, ...of });
const resolution = (outcome, source = 'https://example.org/a b') => ({
  kind: 'resolution',
  target: ID,
  outcome,
  source,
  reasoning: '',
});

/** `reason: true`: the words begin like a convention and do not follow it. */
const WORDS = {
  'two cities': ['svc-forecast:v2 New York=0.6 S\u00e3o Paulo=0.4', cities()],
  'more spaces': ['svc-forecast:v2   New   York=0.6  S\u00e3o Paulo=0.4 ', cities()],
  'a name in the other form of its letters': ['svc-forecast:v2 New York=0.6 Sa\u0303o Paulo=0.4', cities()],
  'a reason below': [
    'svc-forecast:v2 New York=1\nThe vote.',
    outcomes({ 'New York': 1_000_000 }, 'The vote.'),
  ],
  'one name with a space and one without': [
    'svc-forecast:v2 Rome=0.25 New York=0.75',
    outcomes({ Rome: 250_000, 'New York': 750_000 }),
  ],
  'the letters of any script': [
    'svc-forecast:v2 \u0646\u064a\u0648 \u064a\u0648\u0631\u0643=0.5 \u6771\u4eac \u99c5=0.5',
    outcomes({ '\u0646\u064a\u0648 \u064a\u0648\u0631\u0643': 500_000, '\u6771\u4eac \u99c5': 500_000 }),
  ],
  'yes and a word': ['svc-forecast:v2 yes indeed=1', outcomes({ 'yes indeed': 1_000_000 })],
  'void and a word': [
    'svc-forecast:v2 void where prohibited=1',
    outcomes({ 'void where prohibited': 1_000_000 }),
  ],
  '40 characters': [
    `svc-forecast:v2 a ${'b'.repeat(38)}=1`,
    outcomes({ [`a ${'b'.repeat(38)}`]: 1_000_000 }),
  ],
  '41 characters': [`svc-forecast:v2 a ${'b'.repeat(39)}=1`, bad()],
  'no name with a space': ['svc-forecast:v2 yes=0.5 no=0.5', bad()],
  quantiles: ['svc-forecast:v2 q10=1 q90=2', bad()],
  'a quantile next to a name with a space': ['svc-forecast:v2 New York=0.5 q10=0.5', bad()],
  'a space before =': ['svc-forecast:v2 New York =1', bad()],
  'a space after =': ['svc-forecast:v2 New York= 1', bad()],
  'a name at the end': ['svc-forecast:v2 New York=1 Rome', bad()],
  'a sum of 0.9': ['svc-forecast:v2 New York=0.5 Rome=0.4', bad()],
  'two equal names': ['svc-forecast:v2 New York=0.5 New  York=0.5', bad()],
  'a no-break space': ['svc-forecast:v2 New\u00a0York=1', bad()],
  'an ideographic space': ['svc-forecast:v2 New York=0.5 \u6771\u4eac\u3000\u99c5=0.5', bad()],
  'a line between names': ['svc-forecast:v2 New York=0.5 | Rome=0.5', bad()],
  'a space in version 1': ['svc-forecast:v1 New York=1', bad()],
  'the tag alone': ['svc-forecast:v2', bad()],
  'version 3': ['svc-forecast:v3 New York=1', bad()],
  'a resolution': [`svc-resolution:v2 ${ID} New York | https://example.org/a b`, resolution('New York')],
  'a resolution with more spaces': [
    `svc-resolution:v2  ${ID}  New   York  |  https://example.org/a  b `,
    resolution('New York'),
  ],
  'a source with a line': [`svc-resolution:v2 ${ID} New York | a | b`, resolution('New York', 'a | b')],
  'a resolution without a line': [`svc-resolution:v2 ${ID} New York https://example.org`, bad()],
  'a resolution with a line in the outcome': [`svc-resolution:v2 ${ID} New York| source`, bad()],
  'a resolution without a source': [`svc-resolution:v2 ${ID} New York |`, bad()],
  'a resolution without an outcome': [`svc-resolution:v2 ${ID} | source`, bad()],
  'a resolution of an outcome without a space': [`svc-resolution:v2 ${ID} Rome | source`, bad()],
  'a resolution as void': [`svc-resolution:v2 ${ID} void | source`, bad()],
};

const asks = (...names) => ({ asks: 'outcomes', outcomes: names });
const malformed = { asks: 'text', reason: true };
const QUESTIONS = [
  ['Where? [outcomes: New York | S\u00e3o Paulo]', asks('New York', 'S\u00e3o Paulo')],
  ['Where? [outcomes: New York|Rome|S\u00e3o Paulo]', asks('New York', 'Rome', 'S\u00e3o Paulo')],
  ['Where? [outcomes:   New York  |  Rome  ] ', asks('New York', 'Rome')],
  ['Where? [outcomes: Sa\u0303o Paulo | Rome]', asks('S\u00e3o Paulo', 'Rome')],
  ['Where? [outcomes: red | blue]', asks('red', 'blue')],
  ['Where? [outcomes: |red]', asks('outcomes:', 'red')],
  ['Where? [outcomes:red|blue]', asks('outcomes:red', 'blue')],
  ['Where? [outcomes:New York|Rome]', malformed],
  ['Where? [New York|Rome]', malformed],
  ['Where? [outcomes: New York]', malformed],
  ['Where? [outcomes: New  York | Rome]', malformed],
  ['Where? [outcomes: New York | New York]', malformed],
  ['Where? [outcomes: New York | void]', malformed],
  ['Where? [outcomes: New York | q10]', malformed],
  ['Where? [outcomes: New York, the city | Rome]', malformed],
  ['Where? [outcomes: New\u00a0York | Rome]', malformed],
  ['Where? [outcomes: New York | ]', malformed],
];

const ENDING = '[outcomes: New York | S\u00e3o Paulo | Rome]';
const scored = (brier, p) => ({ state: 'scored', brier, log: -Math.log(p), quantile_loss: null });

function* scoredCases() {
  const one = (name, words, outcome, content, expected) => {
    const s = scene(`spaced ${name}`);
    const challenge = s.ask('challenge', `Where? ${ENDING}`);
    const etch_id = s.answer('answer', 'ada', challenge, words);
    s.resolve('resolution', challenge, outcome, { content: content(challenge) });
    return caseOf(name, s, { forecasts: [{ etch_id, ...expected }] });
  };
  const spaced = (outcome) => (id) => `svc-resolution:v2 ${id} ${outcome} | the gauge`;
  const unspaced = (outcome) => (id) => `svc-resolution:v1 ${id} ${outcome} the gauge`;
  const words = 'svc-forecast:v2 New York=0.5 S\u00e3o Paulo=0.25 Rome=0.25';
  // 0.25 + 0.0625 + 0.0625
  yield one('resolved by version 2', words, 'New York', spaced('New York'), scored(0.375, 0.5));
  // 0.25 + 0.0625 + 0.5625
  yield one('resolved by version 1', words, 'Rome', unspaced('Rome'), scored(0.875, 0.25));
  yield one('an answer of version 1', 'svc-forecast:v1 Rome=1', 'Rome', unspaced('Rome'), scored(0, 1));
  yield one('an outcome of no question', words, 'Old York', spaced('Old York'), { state: 'unresolved' });
  yield one('an answer with another outcome', 'svc-forecast:v2 Old York=1', 'Rome', unspaced('Rome'), {
    state: 'malformed',
  });
  const s = scene('spaced own');
  const etch_id = s.etch('forecast', 'ada', { content: 'svc-forecast:v2 New York=0.5 Rome=0.5', made: 0 });
  s.resolve('first', etch_id, '', { by: 'ada', content: spaced('New York')(etch_id) });
  // 0.25 + 0.25
  yield caseOf('an own forecast', s, { forecasts: [{ etch_id, ...scored(0.5, 0.5) }] });
}

export const spacedOutcomeVectors = () => [
  [
    'valid/conventions-spaced-outcomes',
    {
      about:
        'Outcomes with spaces. `reason: true` says that the brackets of a question, or the words, are malformed; they count as a text.',
      cases: Object.entries(WORDS).map(([name, [words, read]]) => ({ name, words, read })),
      questions: QUESTIONS.map(([question, asked]) => ({ question, asked })),
    },
  ],
  [
    'valid/score-spaced-outcomes',
    { about: 'Scores of answers whose outcomes have spaces, computed manually.', cases: [...scoredCases()] },
  ],
];
