import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { figures } from '../../bench/compare/tables.mjs';

const REPORT = `## Measured on 2 cores

### Reading, beside a route serving the same 1,811 bytes

| connections | service | p50 | note |
| --- | --- | --- | --- |
| 1 | 1,740/s | 0.6 ms | as before |
| 64 | 12,514/s | 4.1 ms | 23 % |

### At 10,000 etches

| question | ratio |
| --- | --- |
| feed | 0.58 |

### At 1,000,000 etches

| question | ratio |
| --- | --- |
| feed | 1.20 |
`;

test('a report is read by its tables: every number once, words and rows of dashes not at all', () => {
  const found = figures(REPORT).map(({ table, row, column, value }) => [table, row, column, value]);
  expect(found).toEqual([
    ['Reading, beside a route serving the same # bytes', '1', 'service', 1740],
    ['Reading, beside a route serving the same # bytes', '1', 'p50', 0.6],
    ['Reading, beside a route serving the same # bytes', '64', 'service', 12514],
    ['Reading, beside a route serving the same # bytes', '64', 'p50', 4.1],
    ['Reading, beside a route serving the same # bytes', '64', 'note', 23],
    ['At # etches', 'feed', 'ratio', 0.58],
    ['At # etches (2)', 'feed', 'ratio', 1.2],
  ]);
});

test('a bench that does not exist, or a commit that was forgotten, is named before anything is measured', () => {
  const bench = (...args: string[]): string => {
    try {
      execFileSync(process.execPath, ['scripts/bench.mjs', ...args], { encoding: 'utf8', stdio: 'pipe' });
      return 'ran';
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };
  expect(bench('raed')).toContain('There is no raed: choose from');
  expect(bench('compare')).toContain('Compare with which commit?');
  expect(bench('compare', 'no-such-commit')).toContain('There is no commit no-such-commit');
});
