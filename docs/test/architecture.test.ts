import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAYERS, PACKAGES, TABLES } from '../../house.config.js';
import { read, root, trackedFiles } from '../../testing/repository.ts';

const page = read('docs/architecture.md');
const server = 'packages/server/src';

/** A file as the page names it: from the root, from `packages/`, or from the server's rooms. */
const resolve = (named: string): string | undefined =>
  [named, `packages/${named}`, `${server}/${named}`].find((file) => existsSync(join(root, file)));

const spans = [...new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!))];
const tracked = trackedFiles();
const texts = tracked.filter((file) => /^(?:packages\/[^/]+\/src|testing)\/.*\.tsx?$/.test(file)).map(read);
const declares = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:function\\*?|const|class|interface|type) ${name}\\b`).test(text);
const isDeclared = (name: string): boolean => texts.some((text) => declares(text, name));

/** Functions, one or two, and the file that the page says they are in. */
const placed = [...page.matchAll(/`(\w+)`(?: and `(\w+)`)?[^`|.;]{0,3} (?:in|of)\s+`([\w./-]+\.tsx?)`/g)].map(
  ([, one, other, file]) => ({ names: [one!, ...(other === undefined ? [] : [other])], file: file! }),
);
const functions = placed.flatMap(({ names }) => names);

/** The states of a transaction, as anchoring's ledger has them. */
const states = /type TxState = ([^;]+);/.exec(read(`${server}/anchoring/ledger/transactions.ts`))![1]!;
/** A setting is an entry of the table of all settings. */
const isSetting = (name: string): boolean =>
  new RegExp(`^  ${name}:`, 'm').test(read(`${server}/settings/settings.ts`));
/** `GET /verify/{id}`, with or without what all paths of the API begin with. */
const isServed = (request: string): boolean => {
  const [method, path] = request.split(' ');
  const routes = tracked.filter((file) => /^packages\/contract\/src\/routes\/.*\.ts$/.test(file)).map(read);
  return routes.some((text) =>
    new RegExp(
      `method: '${method}',\\s+path: '(?:/api/v1)?${path!.replace('/api/v1', '').replaceAll(/[{}]/g, '\\$&')}'`,
    ).test(text),
  );
};
/** Every path in a command that is told to be run, and the script of `npm run`. */
const canRun = (command: string): boolean => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [program, first, ...rest] = command.split(' ');
  const paths = [first!, ...rest].filter((word) => word.includes('/'));
  if (!paths.every((path) => tracked.includes(path))) return false;
  if (program === 'npm') return (first === 'run' ? rest[0]! : first!) in scripts;
  return program === 'node' ? paths.length > 0 : existsSync(join(root, 'node_modules/.bin', first!));
};

/** What stands in backticks, by its form, and what makes it true. The first form that fits counts. */
const KINDS: readonly (readonly [
  what: string,
  form: RegExp,
  holds: (span: string) => boolean,
  least: number,
])[] = [
  ['paths', /^[\w.-]+\/[\w./-]*$/, (path) => resolve(path) !== undefined, 100],
  [
    'files by their names alone',
    /^\.?[\w-]+(?:\.[\w-]+)+$/,
    (name) =>
      existsSync(join(root, name)) ||
      tracked.some((file) => file.startsWith(server) && file.endsWith(`/${name}`)),
    4,
  ],
  [
    'types, and names in several words',
    /^(?:[a-z]+|(?:[A-Z][a-z]+)+)(?:[A-Z]\w*)$|^[A-Z][a-z]\w*$/,
    isDeclared,
    50,
  ],
  [
    'states, settings and constants',
    /^[A-Z]+(?:_[A-Z]+)*$/,
    (name) => states.includes(`'${name}'`) || isSetting(name) || isDeclared(name),
    6,
  ],
  [
    'packages, tables and functions that the page places',
    /^[a-z]+(?:_[a-z]+)*$/,
    (name) => name in PACKAGES || name in TABLES || functions.includes(name),
    15,
  ],
  ['requests', /^(?:GET|POST) \//, isServed, 1],
  ['commands', /^(?:node|npm|npx) /, canRun, 4],
];

/** What no kind holds: each says why it is right. */
const SAID: Readonly<Record<string, string>> = {
  '@noble/*': 'the libraries that protocol rests on',
  PASS: 'what svc prints',
  WAIT: 'what svc prints',
  wait: 'a verdict',
  fail: 'a verdict',
  anchored: 'what the public view of an etch says of the chain',
  svc: 'the program',
  'svc verify receipt.json': 'the walk begins with it',
};
const kindOf = (span: string) => KINDS.find(([, form]) => form.test(span));

/** The lines of a drawing: the names each begins with, without what is said of them. */
function drawing(name: string, known: readonly string[]): string[][] {
  const text = new RegExp(`^\`\`\`text ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const words = line.trim().split(/\s+/);
      const end = words.findIndex((word) => !known.includes(word));
      return words.slice(0, end < 0 ? undefined : end);
    });
}

describe('docs/architecture.md', () => {
  test.each(KINDS)('names %s that are there', (_what, form, holds, least) => {
    const named = spans.filter((span) => !(span in SAID) && kindOf(span)?.[1] === form);
    expect(named.length).toBeGreaterThanOrEqual(least);
    expect(named.filter((span) => !holds(span))).toEqual([]);
  });

  test('names nothing that no kind holds and nobody stands for', () => {
    expect(spans.filter((span) => !(span in SAID) && kindOf(span) === undefined)).toEqual([]);
    expect(Object.keys(SAID).filter((span) => !spans.includes(span))).toEqual([]);
  });

  test.each([
    ['a folder', 'servce/'],
    ['a file', 'house.confg.js'],
    ['a type', 'Callr'],
    ['a function', 'makeEtchh'],
    ['a state', 'SEALD'],
    ['a table', 'anchor_jobs'],
    ['a request', 'GET /verfy/{id}'],
    ['a command', 'node scripts/absent.mjs'],
  ])('%s that is not there is found', (_what, span) => {
    expect(kindOf(span)![2](span)).toBe(false);
  });

  test('names functions that are where it says', () => {
    expect(placed.length).toBeGreaterThan(35);
    const wrong = placed.flatMap(({ names, file }) => {
      const path = resolve(file);
      const text = path === undefined ? '' : read(path);
      return names.filter((name) => !declares(text, name)).map((name) => `${name} in ${file}`);
    });
    expect(wrong).toEqual([]);
  });

  test('draws every package, and imports run down', () => {
    const lines = drawing('packages', Object.keys(PACKAGES));
    expect(lines.flat().sort()).toEqual(Object.keys(PACKAGES).sort());
    const height = (name: string): number => lines.findIndex((line) => line.includes(name));
    for (const [name, others] of Object.entries(PACKAGES))
      for (const other of others)
        expect(height(other), `${name} above ${other}`).toBeGreaterThan(height(name));
  });

  test('draws every room, in the layers that the house has', () => {
    const layers = LAYERS.map((rooms) => [...rooms].sort()).reverse();
    expect(drawing('rooms', LAYERS.flat()).map((line) => line.sort())).toEqual(layers);
  });

  test('lists every folder of what tests share', () => {
    const folders = tracked
      .map((file) => /^testing\/[^/]+\//.exec(file)?.[0])
      .filter((name) => name !== undefined);
    const listed = [...page.matchAll(/^\| `(testing\/[^/]+\/)`/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...new Set(folders)].sort());
  });
});
