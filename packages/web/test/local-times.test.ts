import { afterEach, expect, test } from 'vitest';
import { aroundSkipped, momentsAt } from '../src/local-times.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

test.each([
  ['Europe/Berlin', '2027-06-01T12:00', ['2027-06-01T10:00']],
  ['Europe/Berlin', '2027-03-28T01:59', ['2027-03-28T00:59']],
  ['Europe/Berlin', '2027-03-28T02:00', []],
  ['Europe/Berlin', '2027-03-28T02:59:59', []],
  ['Europe/Berlin', '2027-03-28T03:00', ['2027-03-28T01:00']],
  ['Europe/Berlin', '2027-10-31T02:30', ['2027-10-31T00:30', '2027-10-31T01:30']],
  ['Europe/Berlin', '2027-10-31T03:00', ['2027-10-31T02:00']],
  ['America/New_York', '2027-03-14T02:30', []],
  ['America/New_York', '2027-11-07T01:30', ['2027-11-07T05:30', '2027-11-07T06:30']],
  // By half an hour.
  ['Australia/Lord_Howe', '2027-04-04T01:45', ['2027-04-03T14:45', '2027-04-03T15:15']],
  ['Australia/Lord_Howe', '2027-10-03T02:15', []],
  ['Asia/Tokyo', '2027-03-28T02:30', ['2027-03-27T17:30']],
  ['UTC', 'nonsense', []],
])('%s, %s', (zone, local, moments) => {
  process.env['TZ'] = zone;
  expect(momentsAt(local).map((at) => at.toISOString().slice(0, 16))).toEqual(moments);
});

test('names the times around a skipped one', () => {
  process.env['TZ'] = 'Europe/Berlin';
  expect(aroundSkipped('2027-03-28T02:30')).toEqual(['2027-03-28T01:30', '2027-03-28T03:30']);
  process.env['TZ'] = 'America/New_York';
  expect(aroundSkipped('2027-03-14T02:30')).toEqual(['2027-03-14T01:30', '2027-03-14T03:30']);
});
