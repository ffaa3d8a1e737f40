import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { withFigures, withoutPlace } from '../../bench/support/written.mjs';
import { read } from '../../testing/repository.ts';

const PAGE = `# What it costs

<!-- bench: create -->

| old |

<!-- bench: end -->

By hand, $& and all.

<!-- bench: read -->
<!-- bench: end -->

<!-- bench: never-ends -->
`;

test('what the bench printed takes the place of what it printed before, and nothing else changes', () => {
  const created = withFigures(PAGE, 'create', '| new, $1 $& |\n');
  expect(created).toBe(PAGE.replace('| old |', () => '| new, $1 $& |'));
  expect(withFigures(created, 'create', '| old |')).toBe(PAGE);
  expect(withFigures(PAGE, 'read', 'first')).toBe(
    PAGE.replace('read -->\n<!--', () => 'read -->\n\nfirst\n\n<!--'),
  );
});

test('a part without a place, or whose place has no end, is known before anything is measured', () => {
  expect(withoutPlace(PAGE, ['create', 'read', 'gas'])).toEqual(['gas']);
  expect(withoutPlace(PAGE, ['never-ends'])).toEqual(['never-ends']);
  expect(withoutPlace(PAGE.replace(/<!-- bench: end -->\n\nBy/, 'By'), ['create'])).toEqual(['create']);
});

test('every part that runs has its place in docs/performance.md, and the other way round', () => {
  const named = [...read('docs/performance.md').matchAll(/<!-- bench: (?!end)(\S+) -->/g)].map(
    ([, part]) => part,
  );
  expect(new Set(named).size).toBe(named.length);
  expect(named.toSorted()).toEqual([...choices(), 'compare'].toSorted());
  expect(withoutPlace(read('docs/performance.md'), choices())).toEqual([]);
});

test('every part can be loaded, and what needs no service runs', async () => {
  for (const part of choices()) {
    const file = part === 'discovery' ? `${part}/index.mjs` : `${part}.mjs`;
    expect(await import(new URL(`../../bench/${file}`, import.meta.url).href), part).toMatchObject({
      run: expect.any(Function),
    });
  }
  const said = execFileSync(process.execPath, ['scripts/bench.mjs', '--json', 'pages'], { encoding: 'utf8' });
  const line = said.split('\n').find((text) => text.startsWith('{'))!;
  expect(JSON.parse(line).rows).toContainEqual(['script needed to read a page', 0, 0]);
});

test('a page holds no lines of JSON', () => {
  expect(refusal('--json', '--write', 'gas')).toContain('choose one of them');
});

function choices(): string[] {
  return /choose from (.*)\./.exec(refusal('none-such'))![1]!.split(', ');
}

function refusal(...args: string[]): string {
  try {
    execFileSync(process.execPath, ['scripts/bench.mjs', ...args], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
