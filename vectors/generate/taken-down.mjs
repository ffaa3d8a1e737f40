// docs/protocol.md#410-promises: descriptions and questions that the operator took down.
import { seededUuid } from './rules.mjs';

const TAKEN = 'Taken down by the operator';
const ID = seededUuid('a target');
const answer = (question) => [...`Sealed answer to: ${question}`].slice(0, 140).join('');
const levels = Array.from({ length: 99 }, (_, at) => at + 1).join(' ');

const DESCRIPTIONS = {
  alone: [TAKEN, true],
  'of a resolution': [`svc-resolution:v1 ${ID} ${TAKEN}`, true],
  'of an answer': [answer(TAKEN), true],
  'of an answer, yes or no': [answer(`${TAKEN} [yes|no]`), true],
  'of an answer, yes or no in another case, with spaces': [answer(`${TAKEN} [ Yes\t| NO ]`), true],
  'of an answer, a number': [answer(`${TAKEN} [number: mm; 5 50 95]`), true],
  'of an answer, a number, cut to 140 characters': [answer(`${TAKEN} [number: mm; ${levels}]`), true],
  'of an answer, a number, cut too early': [answer(`${TAKEN} [number: mm; ${levels}]`).slice(0, 139), false],
  'of an answer, outcomes': [answer(`${TAKEN} [red|blue]`), false],
  'yes or no without an answer': [`${TAKEN} [yes|no]`, false],
  'of an answer to a resolution': [answer(`svc-resolution:v1 ${ID} ${TAKEN}`), false],
  'of a resolution, yes or no': [`svc-resolution:v1 ${ID} ${TAKEN} [yes|no]`, false],
  'of a resolution, a tab after the id': [`svc-resolution:v1 ${ID}\t${TAKEN}`, false],
  'of a resolution, two spaces after the id': [`svc-resolution:v1 ${ID}  ${TAKEN}`, false],
  'of a resolution, its id in upper case': [`svc-resolution:v1 ${ID.toUpperCase()} ${TAKEN}`, false],
  'of an answer, no-break space between the names': [answer(`${TAKEN} [yes\u00a0|no]`), false],
  'of an answer, a space at the end': [answer(`${TAKEN} [yes|no] `), false],
  'of an answer, two spaces before the form': [answer(`${TAKEN}  [yes|no]`), false],
  'of an answer, text before the form': [answer(`${TAKEN} Ada [yes|no]`), false],
  'of an answer, another case': [`sealed answer to: ${TAKEN}`, false],
  'a full stop': [`${TAKEN}.`, false],
  'a space': [`${TAKEN} `, false],
  nothing: ['', false],
};

const QUESTIONS = {
  alone: [TAKEN, true],
  'yes or no': [`${TAKEN} [yes|no]`, true],
  'a number': [`${TAKEN} [number: mm]`, true],
  'a number in upper case': [`${TAKEN} [NUMBER: mm]`, false],
  'a space at the end': [`${TAKEN} [yes|no] `, false],
  'an answer': [answer(TAKEN), false],
};

const cases = (of) => Object.entries(of).map(([name, [text, taken_down]]) => ({ name, text, taken_down }));

export const takenDownVectors = () => [
  [
    'valid/taken-down',
    {
      about: 'Descriptions of etches and questions of challenges: whether the operator took them down.',
      descriptions: cases(DESCRIPTIONS),
      questions: cases(QUESTIONS),
    },
  ],
];
