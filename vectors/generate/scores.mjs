// Computed manually from docs/conventions.md#scores.
import { seededUuid } from './rules.mjs';

const CLOSES = Date.parse('2026-01-02T12:00:00.500Z');
const TAG = 'svc-resolution:v1';
const LEAST = 13.815510557964274; // −ln(1e-6)
const ASKER = 'asker';
const time = (ms) => new Date(ms).toISOString();
const user = (username) => ({ user_id: seededUuid(`score user ${username}`), username });

/** Seconds count from the end of the challenges; an attestation takes four. */
export function scene(name) {
  const etches = [];
  const challenges = [];
  const id = (what) => seededUuid(`score ${name} ${what}`);
  const etch = (what, username, { made = 60, attested = made + 4, ...parts }) => {
    etches.push({
      id: id(what),
      status: 'revealed',
      mode: 'instant',
      description: 'About it',
      content: null,
      created_at: time(CLOSES + made * 1000),
      author: user(username),
      challenge: null,
      chain: {
        anchored_at: attested === null ? null : `${time(CLOSES + attested * 1000).slice(0, 19)}.000Z`,
      },
      ...parts,
    });
    return id(what);
  };
  return {
    etches,
    challenges,
    id,
    etch,
    ask(what, question) {
      const { user_id } = user(ASKER);
      challenges.push({ id: id(what), question, creator_id: user_id, reveal_at: time(CLOSES) });
      return id(what);
    },
    answer: (what, username, challenge, content, more = {}) =>
      etch(what, username, { mode: 'delayed', challenge: { id: challenge }, content, made: -60, ...more }),
    resolve: (what, target, outcome, { by = ASKER, ...more } = {}) =>
      etch(what, by, {
        content: `${TAG} ${target} ${outcome} the gauge`,
        description: `${TAG} ${target}`,
        ...more,
      }),
  };
}

const RETRACTED = { status: 'retracted', content: null, created_at: null };
const TAKEN_DOWN = { ...RETRACTED, retracted_by: 'operator' };
const NOTHING = { brier: null, log: null, quantile_loss: null };
const binary = (brier, p) => ({
  state: 'scored',
  brier,
  log: p === 0 ? LEAST : -Math.log(p),
  quantile_loss: null,
});
const loss = (quantile_loss) => ({ state: 'scored', brier: null, log: null, quantile_loss });
const malformed = { state: 'malformed', ...NOTHING };

/** [question, words, outcome, expected result] */
const VALUES = {
  'yes, rightly': ['[yes|no]', 'yes=0.75', 'yes', binary(0.0625, 0.75)],
  'yes, wrongly': ['[yes|no]', 'yes=0.75', 'no', binary(0.5625, 0.25)],
  'a certainty that came true': ['[yes|no]', 'yes=1', 'yes', binary(0, 1)],
  'a certainty that did not': ['[yes|no]', 'yes=1', 'no', binary(1, 0)],
  'less than a millionth of log': ['[yes|no]', 'yes=0.000001', 'yes', binary(0.999998000001, 1e-6)],
  'one of three outcomes': ['[red|green|blue]', 'red=0.5 blue=0.5', 'red', binary(0.5, 0.5)],
  'an outcome that was left out': ['[red|green|blue]', 'red=0.5 blue=0.5', 'green', binary(1.5, 0)],
  'yes among three outcomes': ['[yes|no|perhaps]', 'yes=0.5 no=0.5', 'yes', binary(0.5, 0.5)],
  'a number between quantiles': ['[number: mm]', 'q10=3 q50=5 q90=9', '7', loss(1.6 / 3)],
  'a number below them': ['[number: mm]', 'q10=3 q50=5 q90=9', '-1', loss(7.6 / 3)],
  'a number at one of them': ['[number: mm]', 'q10=3 q50=5 q90=9', '5', loss(0.6 / 3)],
  'the levels of the question': ['[number: mm; 5 50 95]', 'q5=3 q50=5 q95=9', '7', loss(1.3 / 3)],
  'its levels in another order': ['[number: mm;95 5  50 ]', 'q95=9 q5=3 q50=5', '7', loss(1.3 / 3)],
  'one level': ['[number: mm; 50]', 'q50=5', '9', loss(2)],
  'a millionth, of twelve digits': [
    '[number: mm; 50]',
    'q50=999999999999.999999',
    '999999999999.999998',
    loss(5e-7),
  ],
  'a single quantile far out': ['[number: mm]', 'q99=99', '50', malformed],
  'a level too few': ['[number: mm]', 'q10=3 q90=9', '7', malformed],
  'a level too many': ['[number: mm]', 'q10=3 q25=4 q50=5 q90=9', '7', malformed],
  'other levels than the default': ['[number: mm]', 'q5=3 q50=5 q95=9', '7', malformed],
  'the default where others are named': ['[number: mm; 5 50 95]', 'q10=3 q50=5 q90=9', '7', malformed],
  'a probability of a number': ['[number: mm]', 'yes=0.5', '7', malformed],
  'quantiles of yes and no': ['[yes|no]', 'q10=3 q50=5 q90=9', 'yes', malformed],
  'an outcome that was not asked for': ['[red|green]', 'red=0.5 blue=0.5', 'red', malformed],
  'a resolution that was not asked for': [
    '[yes|no]',
    'yes=0.75',
    'never',
    { state: 'unresolved', ...NOTHING },
  ],
  'no number as a resolution': [
    '[number: mm]',
    'q10=3 q50=5 q90=9',
    'six',
    { state: 'unresolved', ...NOTHING },
  ],
  void: ['[number: mm]', 'q10=3 q50=5 q90=9', 'void', { state: 'void', ...NOTHING }],
};

/** [etches, [state, etch that counts, etches taken down]] */
const RESOLUTIONS = {
  'by its creator, as described': [(s, at) => s.resolve('first', at, 'yes'), ['resolved', 'first', []]],
  'with more behind the id in the description': [
    (s, at) => s.resolve('first', at, 'yes', { description: `${TAG} ${at} rain` }),
    ['resolved', 'first', []],
  ],
  'without the description': [
    (s, at) => s.resolve('first', at, 'yes', { description: 'About it' }),
    ['unresolved', null, []],
  ],
  'described as a forecast': [
    (s, at) => s.resolve('first', at, 'yes', { description: 'svc-forecast:v1 rain' }),
    ['unresolved', null, []],
  ],
  'described with another id': [
    (s, at) => s.resolve('first', at, 'yes', { description: `${TAG} ${s.id('other')}` }),
    ['unresolved', null, []],
  ],
  'described with two spaces': [
    (s, at) => s.resolve('first', at, 'yes', { description: `${TAG}  ${at}` }),
    ['unresolved', null, []],
  ],
  'described with more letters behind the id': [
    (s, at) => s.resolve('first', at, 'yes', { description: `${TAG} ${at}0` }),
    ['unresolved', null, []],
  ],
  'a described etch that says something else stands before it': [
    (s, at) => {
      s.resolve('text', at, 'yes', { made: 30, content: 'It rained.' });
      s.resolve('first', at, 'yes');
    },
    ['resolved', 'first', []],
  ],
  'another text was retracted before it': [
    (s, at) => {
      s.etch('text', ASKER, { made: 30, ...RETRACTED });
      s.resolve('first', at, 'yes');
    },
    ['resolved', 'first', []],
  ],
  'a resolution was retracted before it': [
    (s, at) => {
      s.resolve('gone', at, '', { made: 30, ...RETRACTED });
      s.resolve('first', at, 'yes');
    },
    ['unresolved', null, []],
  ],
  'a resolution was retracted that was attested with it': [
    (s, at) => {
      s.resolve('gone', at, '', RETRACTED);
      s.resolve('first', at, 'yes');
    },
    ['unresolved', null, []],
  ],
  'a correction was retracted': [
    (s, at) => {
      s.resolve('first', at, 'yes');
      s.resolve('gone', at, '', { made: 90, ...RETRACTED });
    },
    ['resolved', 'first', []],
  ],
  'another text was taken down': [
    (s, at) => {
      s.etch('text', ASKER, { made: 30, ...TAKEN_DOWN });
      s.resolve('first', at, 'yes');
    },
    ['resolved', 'first', []],
  ],
  'the first resolution was taken down': [
    (s, at) => {
      s.resolve('down', at, '', { made: 30, ...TAKEN_DOWN });
      s.resolve('first', at, 'yes');
    },
    ['resolved', 'first', ['down']],
  ],
  'the only resolution was taken down': [
    (s, at) => s.resolve('down', at, '', TAKEN_DOWN),
    ['unresolved', null, ['down']],
  ],
  'one was taken down, and one retracted': [
    (s, at) => {
      s.resolve('down', at, '', { made: 20, ...TAKEN_DOWN });
      s.resolve('gone', at, '', { made: 30, ...RETRACTED });
      s.resolve('first', at, 'yes');
    },
    ['unresolved', null, ['down']],
  ],
  'it is readable, and called taken down': [
    (s, at) => s.resolve('first', at, 'yes', { retracted_by: 'operator' }),
    ['resolved', 'first', []],
  ],
};

function* valueCases() {
  for (const [name, [ending, words, outcome, expected]] of Object.entries(VALUES)) {
    const s = scene(name);
    const challenge = s.ask('challenge', `What? ${ending}`);
    const etch_id = s.answer('answer', 'ada', challenge, `svc-forecast:v1 ${words}`);
    s.resolve('resolution', challenge, outcome);
    yield caseOf(name, s, { forecasts: [{ etch_id, ...expected }] });
  }
}

function* resolutionCases() {
  for (const [name, [plant, [state, first, down]]] of Object.entries(RESOLUTIONS)) {
    const s = scene(name);
    const challenge = s.ask('challenge', 'What? [yes|no]');
    plant(s, challenge);
    yield caseOf(`a resolution: ${name}`, s, {
      resolutions: [
        {
          challenge_id: challenge,
          state,
          etch_id: first && s.id(first),
          taken_down: down.map((one) => s.id(one)),
        },
      ],
    });
  }
}

function* ownCases() {
  const own = (name, plant, state) => {
    const s = scene(name);
    const etch_id = s.etch('forecast', 'ada', { content: 'svc-forecast:v1 yes=0.9', made: 0 });
    plant(s, etch_id);
    return caseOf(`an own forecast: ${name}`, s, { forecasts: [{ etch_id, state }] });
  };
  const by = 'ada';
  yield own('resolved as described', (s, at) => s.resolve('first', at, 'yes', { by }), 'scored');
  yield own(
    'resolved without the description',
    (s, at) => s.resolve('first', at, 'yes', { by, description: 'About it' }),
    'unresolved',
  );
  yield own(
    'its resolution retracted',
    (s, at) => {
      s.resolve('gone', at, '', { by, made: 30, ...RETRACTED });
      s.resolve('first', at, 'yes', { by });
    },
    'unresolved',
  );
  yield own(
    'its resolution taken down',
    (s, at) => {
      s.resolve('down', at, '', { by, made: 30, ...TAKEN_DOWN });
      s.resolve('first', at, 'yes', { by });
    },
    'scored',
  );
}

function takedownCase() {
  const s = scene('takedowns');
  const challenge = s.ask('challenge', 'What? [yes|no]');
  s.resolve('resolution', challenge, 'yes');
  const states = [
    ['ada', 'scored', {}],
    ['ben', 'retracted', RETRACTED],
    ['eve', 'taken_down', TAKEN_DOWN],
    ['kim', 'scored', { retracted_by: 'operator' }],
  ];
  const forecasts = states.map(([username, state, more], at) => ({
    etch_id: s.answer(`answer of ${username}`, username, challenge, 'svc-forecast:v1 yes=0.5', {
      made: at * 5 - 60,
      ...more,
    }),
    state,
  }));
  s.etch('text of ada', 'ada', TAKEN_DOWN);
  s.etch('text of ben', 'ben', TAKEN_DOWN);
  const counts = (username, more) => ({
    username,
    counts: { forecasts: 1, retractions: 0, takedowns: 0, ...more },
  });
  return caseOf('takedowns are counted apart from retractions', s, {
    forecasts,
    accounts: [
      counts('ada', { scored: 1, takedowns: 1 }),
      counts('ben', { retracted: 1, retractions: 1, takedowns: 1 }),
      counts('eve', { taken_down: 1, takedowns: 1 }),
      counts('kim', { scored: 1 }),
    ],
  });
}

function averageCase() {
  const s = scene('averages');
  const asked = [
    ['a', '[number: mm]', 'q10=1 q50=3 q90=5', '3'], // (0.2 + 0 + 0.2) / 3
    ['b', '[number: mm]', 'q10=3 q50=3 q90=3', '3'],
    ['c', '[number: mm; 5 50 95]', 'q5=1 q50=3 q95=5', '3'], // (0.1 + 0 + 0.1) / 3
    ['d', '[number: mm; 10 50]', 'q10=1 q50=3', '3'], // (0.2 + 0) / 2
    ['e', '[number: \u{1f4cf}; 50]', 'q50=1', '3'],
    ['f', '[number: \uff5e; 50]', 'q50=2', '3'],
  ];
  for (const [what, ending, words, outcome] of asked) {
    const challenge = s.ask(what, `What? ${ending}`);
    s.answer(`answer ${what}`, 'ada', challenge, `svc-forecast:v1 ${words}`);
    s.resolve(`resolution ${what}`, challenge, outcome);
  }
  return caseOf('averages compare equal units and equal levels only', s, {
    accounts: [
      {
        username: 'ada',
        counts: { scored: 6 },
        quantile_loss: [
          { unit: 'mm', levels: [5, 50, 95], n: 1, mean: 0.2 / 3 },
          { unit: 'mm', levels: [10, 50], n: 1, mean: 0.1 },
          { unit: 'mm', levels: [10, 50, 90], n: 2, mean: 0.2 / 3 },
          { unit: '\uff5e', levels: [50], n: 1, mean: 0.5 },
          { unit: '\u{1f4cf}', levels: [50], n: 1, mean: 1 },
        ],
      },
    ],
  });
}

export const caseOf = (name, { etches, challenges }, expect) => ({ name, etches, challenges, expect });

const number = (unit, ...levels) => ({ asks: 'number', unit, levels });
const TEXT = { asks: 'text' };
const QUESTIONS = [
  ['How much? [number: mm]', number('mm', 10, 50, 90)],
  ['How much? [number: mm; 5 50 95]', number('mm', 5, 50, 95)],
  ['How much? [number:mm;5]', number('mm', 5)],
  ['How much? [number:  ships a week  ;  95  5 ] ', number('ships a week', 5, 95)],
  [
    `How much? [number: mm; ${Array.from({ length: 99 }, (_, at) => 99 - at).join(' ')}]`,
    number('mm', ...Array.from({ length: 99 }, (_, at) => at + 1)),
  ],
  ['How much? [number: mm; ]', TEXT],
  ['How much? [number: ; 5 50 95]', TEXT],
  ['How much? [number: mm; 0 50]', TEXT],
  ['How much? [number: mm; 50 100]', TEXT],
  ['How much? [number: mm; 05 50]', TEXT],
  ['How much? [number: mm; 50 50]', TEXT],
  ['How much? [number: mm; q5 q50]', TEXT],
  ['How much? [number: mm; 5,50,95]', TEXT],
  ['How much? [number: mm; 2.5 97.5]', TEXT],
  ['How much? [number: mm; 5; 50]', TEXT],
];

export const scoreVectors = () => [
  [
    'valid/score-values',
    {
      about:
        'Etches and challenges, and what the rules of scores give for them: states and values of forecasts, the resolution that counts, counts and averages of accounts. Values agree to 1e-12.',
      cases: [...valueCases(), ...resolutionCases(), ...ownCases(), takedownCase(), averageCase()],
    },
  ],
  [
    'valid/conventions-levels',
    {
      about: 'Numeric questions, with the quantile levels that they fix; malformed ones ask for a text.',
      questions: QUESTIONS.map(([question, asked]) => ({ question, asked })),
    },
  ],
];
