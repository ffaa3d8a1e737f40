import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(import.meta.dirname));

const TESTS = `
import { beforeAll, describe, expect, test } from 'vitest';
let asked = 0;
let found = 0;
test('passes', () => undefined);
test('passes when asked again', () => expect(++asked).toBe(2));
test('finds what is not expected', () => expect(++found === 1 ? ['what stood there, of which there is more than a message has room for'] : []).toEqual([]));
test('fails', () => { throw new Error('why it failed\\nand more of it'); });
test.skip('is left out', () => undefined);
describe('a group', () => {
  beforeAll(() => { throw new Error('what came before'); });
  test('is never run', () => undefined);
});
void Promise.reject(new Error('nobody waited for this'));
`;

// `npm test` counts and names failures with this reporter: a failure that it misses looks like a pass.
test('names every failure inside and outside of tests, and every test that passed at the second try', async () => {
  // vitest must be resolvable from here.
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/totals-'));
  try {
    writeFileSync(join(folder, 'some.test.mjs'), TESTS);
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      `export default { test: { include: ['*.test.mjs'], exclude: [] } };`,
    );
    const totals = join(folder, 'totals.json');
    const child = spawn(
      process.execPath,
      [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--root',
        folder,
        '--retry=1',
        '--reporter',
        join(ROOT, 'scripts/totals-reporter.mjs'),
      ],
      { env: { ...process.env, TEST_TOTALS: totals }, stdio: ['pipe', 'pipe', 'ignore'] },
    );
    const [output, [status]] = await Promise.all([
      text(child.stdout),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    expect(status).not.toBe(0);
    const { failures, flaky, ...counts } = JSON.parse(readFileSync(totals, 'utf8')) as {
      passed: number;
      skipped: number;
      flaky: string[];
      failures: string[];
    };
    expect(counts).toEqual({ passed: 3, skipped: 2 });
    expect(flaky).toEqual([
      expect.stringContaining('some.test.mjs > passes when asked again: '),
      expect.stringContaining('some.test.mjs > finds what is not expected: '),
    ]);
    expect(output).toContain('what stood there, of which there is more');
    expect(failures).toEqual([
      'outside of a test: nobody waited for this',
      expect.stringMatching(/some\.test\.mjs > a group: what came before$/),
      expect.stringMatching(/some\.test\.mjs > fails: why it failed$/),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
