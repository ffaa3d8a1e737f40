import { expect, test } from 'vitest';
import { forecastFields } from '../src/parts/forecast-draft.ts';

const told = (...args: Parameters<typeof forecastFields>) =>
  forecastFields(...args).map(({ known, name, value }) => `${known === null ? '*' : ''}${name}=${value}`);
const parts = [
  { name: 'yes', value: '0.9' },
  { name: 'no', value: '' },
];

test('a question names its fields, and they keep what was typed', () => {
  expect(told({ parts }, 'Rain? [yes|no]')).toEqual(['yes=0.9', 'no=']);
  expect(told({}, 'How much? [number: mm]')).toEqual(['q10=', 'q50=', 'q90=']);
  expect(told({}, 'How much? [number: mm; 95 5]')).toEqual(['q5=', 'q95=']);
  expect(told({ parts }, 'Who?')).toEqual([]);
});

test('keeps fields that the question does not name', () => {
  expect(told({ parts }, 'Which? [red|blue]')).toEqual(['red=', 'blue=', '*yes=0.9', '*no=']);
});

test('while a question cannot be read, what was typed stays, and nothing is asked for', () => {
  expect(told({ parts, challenge_id: 'x' }, undefined)).toEqual(['*yes=0.9', '*no=']);
  expect(told({ challenge_id: 'x' }, undefined)).toEqual([]);
});

test('outcomes of one’s own: none is lost, equal names and more than there is room for among them', () => {
  const own = ['yes', 'a', 'b', 'c', 'd', 'yes'].map((name, at) => ({ name, value: `0.${at}` }));
  expect(told({ parts: own }, undefined)).toEqual([
    ...['yes=0.0', '*a=0.1', '*b=0.2', '*c=0.3', '*d=0.4', 'q10=', 'q50=', 'q90=', '*yes=0.5'],
  ]);
});
