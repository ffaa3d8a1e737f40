import { expect, test } from 'vitest';
import { plainWords } from '../src/plain-words.ts';

const ID = 'ba2700ee-b11f-45fe-a934-06098975d379';

test.each([
  ['svc-forecast:v1 yes=0.72\nThe wind.', 'Forecast: yes 72 %', 'The wind.'],
  ['svc-forecast:v1 yes=0.283333', 'Forecast: yes 28 %', ''],
  [
    'svc-forecast:v2 New York=0.29 S\u00e3o Paulo=0.71',
    'Forecast: New York 29 % \u00b7 S\u00e3o Paulo 71 %',
    '',
  ],
  [
    'svc-forecast:v1 q10=3 q90=9.5',
    'Forecast: 10 % chance of at most 3 \u00b7 90 % chance of at most 9.5',
    '',
  ],
  [`svc-resolution:v2 ${ID} New York | the vote`, 'Resolution: New York | the vote', ''],
  ['svc-files:v1\n0a  b.txt', 'Files', '0a  b.txt'],
  ['svc-files:v1 root=0a1b files=2\nThe data.', 'Files: 2 files', 'The data.'],
  ['svc-log:v1 root=0a1b lines=120 prev=0c', 'Log: 120 lines', ''],
])('shows %j without its syntax', (content, first, rest) => {
  expect(plainWords(content)).toEqual({ first, rest });
});

test.each(['It rains.', 'svc-forecast:v1 yes=0.6 no=0.6', 'svc-forecast:v1 yes=72%', 'svc-tide 3'])(
  'shows the text %j as it is',
  (content) => expect(plainWords(content)).toEqual({ rest: content }),
);
