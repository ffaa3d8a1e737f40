import { parseQuestion } from '@svc/protocol/conventions';
import { describe, expect, it } from 'vitest';
import {
  answerFormatText,
  almostForecastNote,
  composeQuestion,
  questionFieldsOf,
} from '../src/question-fields.ts';

const typed = (fields: object) =>
  composeQuestion({ question: 'So? ', asks: 'text', outcomes: '', unit: '', levels: '', ...fields });

describe('the form of an answer', () => {
  it.each([
    [{ asks: 'text' }, 'So? '],
    [{ asks: 'yes_no' }, 'So? [yes|no]'],
    [{ asks: 'outcomes', outcomes: ' red, green,\nblue ,' }, 'So? [red|green|blue]'],
    [{ asks: 'number', unit: ' mm ' }, 'So? [number: mm]'],
    [{ asks: 'number', unit: 'mm', levels: '5, 50 95 %' }, 'So? [number: mm; 5 50 95]'],
    [{ asks: 'yes_no', question: 'So? [yes|no]' }, 'So? [yes|no]'],
    [{ asks: 'text', question: 'So? [yes|no]' }, 'So? [yes|no]'],
    [{ asks: 'yes_no', question: '' }, ''],
  ])('writes %j as brackets, and reads them back', (fields, question) => {
    expect(typed(fields)).toBe(question);
    expect(composeQuestion(questionFieldsOf(question))).toBe(question);
  });

  it.each([
    [{ asks: 'yes_no', question: 'So? [yes/no]' }, 'question', /^ends in brackets: remove them/],
    [{ asks: 'outcomes', outcomes: 'red' }, 'outcomes', /^must have 2 to 100 names/],
    [{ asks: 'outcomes', outcomes: 'New York, Paris' }, 'outcomes', /“New York”.*no space/],
    [{ asks: 'outcomes', outcomes: 'red, red' }, 'outcomes', /twice/],
    [{ asks: 'number' }, 'unit', /^is required$/],
    [{ asks: 'number', unit: 'mm]' }, 'unit', /^must have at most 20 characters/],
    [{ asks: 'number', unit: 'mm', levels: '5 5' }, 'levels', /^must be different whole numbers/],
  ])('rejects %j at its field', (fields, path, message) => {
    expect(typed(fields)).toEqual({ path, message: expect.stringMatching(message) });
  });
});

it.each([
  ['So?', 'free text, not scored'],
  ['So? [yes|no]', 'a chance of yes, scored'],
  ['So? [red|blue]', 'a chance of each outcome (red, blue), scored'],
  ['So? [number: mm; 5 95]', 'a number in mm as 5, 95 % quantiles, scored'],
])('the preview of %s describes the answers', (question, answers) => {
  expect(answerFormatText(parseQuestion(question))).toBe(answers);
});

it.each([
  'So? [yes/no]',
  'So? [yes|no]?',
  'So? [yes|no',
  'So? (yes|no)',
  'So? (yes or no)',
  'So? [Yes|No]',
  'So? [number mm]',
  'So? [number: mm, 5 50 95]',
  'So? [mm]',
])('warns of %s', (question) => expect(almostForecastNote(question)).not.toBeNull());

it.each([
  'So?',
  'How fast (in km/h)?',
  'So? [yes|no]',
  'So? [red|blue]',
  'So? [number: mm]',
  'The [big] one?',
])('does not warn of %s', (question) => expect(almostForecastNote(question)).toBeNull());
