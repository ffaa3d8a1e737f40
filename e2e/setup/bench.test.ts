import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { figures } from '../../bench/compare/tables.mjs';
import { read, root } from '../../testing/repository.ts';

describe('npm run bench', () => {
  test('has a stored result for every part, and none for others', () => {
    const stored = readdirSync(join(root, 'bench/results')).map((file) => file.replace('.json', ''));
    expect(stored.toSorted()).toEqual(parts().toSorted());
    for (const part of stored)
      expect(JSON.parse(read(`bench/results/${part}.json`)), part).toMatchObject({
        measured: { on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), cores: expect.any(Number) },
        tables: expect.arrayContaining([expect.objectContaining({ rows: expect.any(Array) })]),
      });
  });

  test('loads every part, and measures one that needs no service', async () => {
    for (const part of parts()) {
      const file = part === 'discovery' ? `${part}/index.mjs` : `${part}.mjs`;
      expect(await import(new URL(`../../bench/${file}`, import.meta.url).href), part).toMatchObject({
        run: expect.any(Function),
      });
    }
    const output = execFileSync(process.execPath, ['scripts/bench.mjs', '--json', 'pages'], {
      encoding: 'utf8',
    });
    const line = output.split('\n').find((text) => text.startsWith('{'))!;
    expect(JSON.parse(line).rows).toContainEqual(['script needed to read a page', 0, 0]);
  });

  test('rejects an unknown part, a missing commit and an unknown commit before it measures', () => {
    expect(failure('raed')).toContain('There is no raed: choose from');
    expect(failure('compare')).toContain('Compare with which commit?');
    expect(failure('compare', 'no-such-commit')).toContain('There is no commit no-such-commit');
    expect(failure('compare', 'HEAD', '--write')).toContain('leave it out');
  });
});

test('figures reads every number of a report once, and no words', () => {
  const report = [
    {
      table: 'Reading, a route with the same 1,811 bytes',
      head: ['connections', 'service', 'p50', 'note'],
      rows: [
        [1, '1,740/s', '0.6 ms', 'as before'],
        [64, '12,514/s', '4.1 ms', '23 %'],
      ],
    },
    { table: 'At 10,000 etches', head: ['question', 'ratio'], rows: [['feed', '0.58']] },
    { table: 'At 1,000,000 etches', head: ['question', 'ratio'], rows: [['feed', '1.20']] },
  ];
  const lines = ['{"note":"no table"}', ...report.map((one) => JSON.stringify(one))].join('\n');
  expect(figures(lines).map(({ table, row, column, value }) => [table, row, column, value])).toEqual([
    ['Reading, a route with the same # bytes', '1', 'service', 1740],
    ['Reading, a route with the same # bytes', '1', 'p50', 0.6],
    ['Reading, a route with the same # bytes', '64', 'service', 12514],
    ['Reading, a route with the same # bytes', '64', 'p50', 4.1],
    ['Reading, a route with the same # bytes', '64', 'note', 23],
    ['At # etches', 'feed', 'ratio', 0.58],
    ['At # etches (2)', 'feed', 'ratio', 1.2],
  ]);
});

function parts(): string[] {
  return /choose from (.*)\./.exec(failure('none-such'))![1]!.split(', ');
}

function failure(...args: string[]): string {
  try {
    execFileSync(process.execPath, ['scripts/bench.mjs', ...args], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
