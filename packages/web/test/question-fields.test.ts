import { describe, expect, it, test } from 'vitest';
import { partsOfQuestion, questionText } from '../src/etch-text.ts';
import { almostForecastNote, composeQuestion, questionFieldsOf } from '../src/question-fields.ts';

const BLANK = { asks: 'text', outcomes: '', unit: '', levels: '', criteria: '', source: '' };
const typed = (fields: object) => composeQuestion({ question: 'So? ', ...BLANK, ...fields });

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
    [{ asks: 'outcomes', outcomes: 'New=York, Paris' }, 'outcomes', /“New=York”.*none of = /],
    [
      { asks: 'yes_no', criteria: 'It is. Source: me' },
      'criteria',
      /must not contain “Criteria:” or “Source:”/,
    ],
    [{ asks: 'yes_no', question: 'So? Source: me', source: 'you' }, 'question', /use the fields below/],
    [
      { asks: 'yes_no', question: 'So? settles-by: https://a.example/b.json /c', source: 'you' },
      'source',
      /because the rule in the question settles it/,
    ],
    [{ asks: 'outcomes', outcomes: 'red, red' }, 'outcomes', /twice/],
    [{ asks: 'number' }, 'unit', /^is required$/],
    [{ asks: 'number', unit: 'mm]' }, 'unit', /^must have at most 20 characters/],
    [{ asks: 'number', unit: 'mm', levels: '5 5' }, 'levels', /^must be different whole numbers/],
  ])('rejects %j at its field', (fields, path, message) => {
    expect(typed(fields)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it('names every field that is wrong', () => {
    const wrong = typed({ asks: 'number', levels: '5 5', source: 'me. Criteria: none' });
    expect(wrong).toMatchObject([{ path: 'unit' }, { path: 'levels' }, { path: 'source' }]);
  });
});

test.each([
  [{ asks: 'outcomes', outcomes: 'New York\n São  Paulo ' }, 'So? [outcomes: New York | São Paulo]'],
  [{ asks: 'yes_no', criteria: ' The  first\ncount. ' }, 'So? Criteria: The first count. [yes|no]'],
  [{ asks: 'number', unit: 'mm', source: 'the gauge' }, 'So? Source: the gauge [number: mm]'],
  [
    { asks: 'text', criteria: 'Both.', source: 'https://a.example' },
    'So? Criteria: Both. Source: https://a.example',
  ],
])('stores %j as one readable text, and reads its parts back', (fields, question) => {
  expect(typed(fields)).toBe(question);
  expect(composeQuestion(questionFieldsOf(question))).toBe(question);
  const { criteria = '', source = '' } = fields as { criteria?: string; source?: string };
  const parts = { text: 'So?', criteria: criteria.trim().replace(/\s+/g, ' '), source };
  expect(partsOfQuestion(question)).toEqual(parts);
  expect(questionText(question)).toBe('So?');
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
