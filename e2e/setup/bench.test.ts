import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, root } from '../../testing/repository.ts';

describe('npm run bench', () => {
  test('has a stored result for every part, and none for others', () => {
    const stored = readdirSync(join(root, 'bench/results')).map((file) => file.replace('.md', ''));
    expect(stored.toSorted()).toEqual(parts().toSorted());
    for (const part of stored)
      expect(read(`bench/results/${part}.md`), part).toMatch(
        /\n\| .* \|\n[^]*\nMeasured on \d{4}-\d\d-\d\d: \d+ cores/,
      );
  });

  test('loads every part, and measures one that needs no service', async () => {
    for (const part of parts())
      expect(await import(new URL(`../../bench/${part}.mjs`, import.meta.url).href), part).toMatchObject({
        measure: expect.any(Function),
        aim: expect.any(String),
      });
    const output = execFileSync(process.execPath, ['scripts/bench.mjs', 'folding'], { encoding: 'utf8' });
    expect(output).toMatch(/\| [\d.]+ ms \| [\d.]+ ms \| [\d.]+ \|/);
  });

  test('measures every aim of docs/performance.md, and has no part without an aim', () => {
    const aims = read('docs/performance.md').matchAll(/^\|.*\| `([\w-]+)` +\|$/gm);
    expect([...new Set([...aims].map(([, part]) => part!))].toSorted()).toEqual(parts().toSorted());
  });

  test('rejects an unknown part before it measures', () => {
    expect(failure('raed')).toContain('There is no raed: choose from');
  });
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
