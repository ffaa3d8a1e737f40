import { expect, test } from 'vitest';
import { forecastFields } from '../src/parts/etch-draft.ts';

const fieldsOf = (...args: Parameters<typeof forecastFields>) =>
  forecastFields(...args).map(({ known, name, value }) => `${known === null ? '*' : ''}${name}=${value}`);
const parts = [
  { name: 'yes', value: '0.9' },
  { name: 'no', value: '' },
];

test('a question names its fields, and they keep their values', () => {
  expect(fieldsOf({ parts }, 'Rain? [yes|no]')).toEqual(['yes=0.9']);
  expect(fieldsOf({}, 'How much? [number: mm]')).toEqual(['q10=', 'q50=', 'q90=']);
  expect(fieldsOf({}, 'How much? [number: mm; 95 5]')).toEqual(['q5=', 'q95=']);
  expect(fieldsOf({ parts }, 'Who?')).toEqual([]);
});

test('keeps fields that the question does not name', () => {
  const typed = [...parts, { name: 'no', value: '0.1' }];
  expect(fieldsOf({ parts: typed }, 'Rain? [yes|no]')).toEqual(['yes=0.9', '*no=0.1']);
  expect(fieldsOf({ parts }, 'Which? [red|blue]')).toEqual(['red=', 'blue=', '*yes=0.9']);
});

test('keeps the typed values and asks for nothing while the question cannot be read', () => {
  expect(fieldsOf({ parts, challenge_id: 'x' }, undefined)).toEqual(['*yes=0.9']);
  expect(fieldsOf({ challenge_id: 'x' }, undefined)).toEqual([]);
});

test('keeps every own outcome, also equal names and more than the form shows', () => {
  const own = ['yes', 'a', 'b', 'c', 'd', 'yes'].map((name, at) => ({ name, value: `0.${at}` }));
  expect(fieldsOf({ parts: own }, undefined)).toEqual([
    'yes=0.0',
    '*a=0.1',
    '*b=0.2',
    '*c=0.3',
    '*d=0.4',
    'q10=',
    'q50=',
    'q90=',
    '*yes=0.5',
  ]);
});
