import { expect, it } from 'vitest';
import { percentText, readChance, readPercent, roundChance, scale, spread, sumText } from '../src/chance.ts';

it.each([
  [0, '0 %'],
  [400, '<0.1 %'],
  [4_000, '0.4 %'],
  [283_333, '28 %'],
  [995_000, '99.5 %'],
  [999_999, '>99.9 %'],
  [1_000_000, '100 %'],
])('rounds %i millionths to %s, and no doubt to certainty', (millionths, shown) => {
  expect(roundChance(millionths)).toBe(shown);
});

it('says how much is too much or missing', () => {
  expect(sumText(1_200_000)).toBe('120 %: 20 % too much');
  expect(sumText(750_000)).toBe('75 %: 25 % is missing');
  expect(sumText(1_000_000)).toBe('100 %');
});

it('reads percent and decimals, and no lone 1', () => {
  expect(['72', '72 %', '72%', '0.72'].map(readChance)).toEqual([720_000, 720_000, 720_000, 720_000]);
  expect(readChance('1')).toContain('two meanings');
  expect(readChance('140')).toContain('140 is not a chance');
});

it('reads and writes percent in a field with a percent sign', () => {
  expect(['1', '0.2', '60 %', '60%', '0'].map(readPercent)).toEqual([10_000, 2_000, 600_000, 600_000, 0]);
  expect(readPercent('140')).toContain('140 % is not a chance');
  for (const millionths of [10_000, 283_333, 700_000])
    expect(readPercent(percentText(millionths))).toBe(millionths);
});

it.each([
  [250_000, 1, [250_000]],
  [100_000, 3, [40_000, 30_000, 30_000]],
  [333_333, 2, [166_667, 166_666]],
])('spreads %i over %i fields, in whole percent where possible', (rest, fields, shares) => {
  expect(spread(rest, fields)).toEqual(shares);
});

it.each([
  [
    [400_000, 800_000],
    [330_000, 670_000],
  ],
  [
    [400_000, 400_000, 400_000],
    [340_000, 330_000, 330_000],
  ],
  [
    [1_000_000, 5_000],
    [995_025, 4_975],
  ],
  [
    [1_000_000, 0, 1_000_000],
    [500_000, 0, 500_000],
  ],
])('scales %j to 100 %%', (chances, shares) => {
  expect(scale(chances)).toEqual(shares);
});
