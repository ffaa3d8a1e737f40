// Runs without a database.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  APART,
  OUTSIDE_PACKAGES,
  LAYERS,
  MODULES,
  ONLY_FOR,
  PACKAGES,
  UPWARD,
} from '../../../../architecture.config.js';
import { trackedFiles } from '../../../../testing/repository.ts';
import { cycles, importsAmong, importsOf, moduleOf, ROOT } from './imports.ts';

/** Leaves out imports of types only. */
const CALLABLE = /^import (?!type )[^;]*? from '(\.[^']+)';/gm;
const OF_A_PACKAGE = /(?:from|import)\s*\(?\s*'(?:@svc\/|(?:\.\.\/)+packages\/)([a-z]+)/g;

const { files } = importsOf('packages/server/src');
const crossing = crossingIn(files);
const heights = new Map(
  LAYERS.flatMap((modules, height) => modules.map((module) => [module, height] as const)),
);
const heightOf = (file: string): number => heights.get(moduleOf(file)) ?? Infinity;

function crossingIn(imports: ReadonlyMap<string, readonly string[]>): { from: string; to: string }[] {
  return [...imports].flatMap(([from, imported]) =>
    imported.filter((to) => moduleOf(to) !== moduleOf(from)).map((to) => ({ from, to })),
  );
}

describe('packages', () => {
  test.each(Object.entries(PACKAGES))('%s imports only allowed packages', (name, allowed) => {
    const imported = new Set([...importsOf(`packages/${name}/src`).packages.values()].flat());
    expect([...imported].filter((other) => !allowed.includes(other))).toEqual([]);
  });

  test.each(Object.keys(PACKAGES))('%s imports no file outside itself, and none in a circle', (name) => {
    const imports = importsOf(`packages/${name}/src`).files;
    const outside = [...imports].flatMap(([from, to]) =>
      to.filter((path) => path.startsWith('../../')).map((path) => `${from}: ${path}`),
    );
    expect(outside).toEqual([]);
    expect(cycles(imports), 'files, type imports included').toEqual([]);
    const arrows = new Map([...imports.keys()].map((file) => [moduleOf(file), [] as string[]]));
    for (const { from, to } of crossingIn(imports)) arrows.get(moduleOf(from))!.push(moduleOf(to));
    expect(cycles(arrows), 'folders, type imports included').toEqual([]);
  });
});

describe('outside the packages', () => {
  test('tests, their helpers, scripts and benchmarks have no import cycle', () => {
    const tests = Object.keys(PACKAGES).map((name) => `packages/${name}/test`);
    const imports = importsAmong(['bench', 'docs', 'e2e', 'scripts', 'testing', ...tests]);
    expect(imports.size).toBeGreaterThan(500);
    expect(cycles(imports)).toEqual([]);
  });
});

describe('modules of the server', () => {
  test('each is in one layer, and each layer has only existing modules', () => {
    expect([...new Set([...files.keys()].map(moduleOf))].sort()).toEqual([...heights.keys()].sort());
  });

  test('every import goes to a lower layer, except at most three with a reason', () => {
    const upward = crossing.filter(({ from, to }) => heightOf(to) >= heightOf(from));
    const excused = UPWARD.map(({ from, to }) => ({ from, to }));
    expect(upward).toEqual(excused);
    expect(UPWARD.length).toBeLessThanOrEqual(3);
    expect(UPWARD.filter(({ why }) => why.trim() === '')).toEqual([]);
  });

  test.each(Object.entries(ONLY_FOR))('%s is imported only by allowed modules', (module, { modules }) => {
    const others = crossing.filter(({ to }) => moduleOf(to) === module).map(({ from }) => moduleOf(from));
    expect([...new Set(others)].filter((other) => !modules.includes(other))).toEqual([]);
  });
});

describe('folders', () => {
  const isBelow = (file: string, parent: string): boolean => file === parent || file.startsWith(`${parent}/`);

  test.each(Object.entries(APART))(
    '%s imports only types from the folders named in shapesOf',
    (folder, { shapesOf }) => {
      const inside = [...files.keys()].filter((file) => isBelow(file, folder));
      const called = inside.flatMap((file) =>
        [...readFileSync(join(ROOT, 'packages/server/src', file), 'utf8').matchAll(CALLABLE)]
          .map(([, path]) => normalize(join(dirname(file), path!)))
          .filter((path) => shapesOf.some((parent) => isBelow(path, parent)))
          .map((path) => `${file}: ${path}`),
      );
      expect(called).toEqual([]);
      const known = inside.flatMap((file) => files.get(file)!);
      expect(shapesOf.filter((parent) => !known.some((file) => isBelow(file, parent)))).toEqual([]);
    },
  );

  test.each(Object.entries(APART))(
    '%s imports nothing from the folders it is kept apart from',
    (folder, { of }) => {
      const inside = [...files].filter(([file]) => isBelow(file, folder));
      expect(inside.length).toBeGreaterThan(0);
      const faults = inside.flatMap(([, imported]) =>
        imported.filter((file) => of.some((parent) => isBelow(file, parent))),
      );
      expect(faults).toEqual([]);
      expect(of.filter((parent) => ![...files.keys()].some((file) => isBelow(file, parent)))).toEqual([]);
    },
  );
});

test.each(Object.entries(OUTSIDE_PACKAGES))('%s/ imports exactly its packages', (folder, allowed) => {
  const imported = trackedFiles()
    .filter((file) => file.startsWith(`${folder}/`) && /\.m?[jt]s$/.test(file))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(OF_A_PACKAGE)])
    .map(([, name]) => name!);
  expect([...new Set(imported)].sort()).toEqual([...allowed].sort());
});

test('architecture.config.js describes each module', () => {
  expect(Object.keys(MODULES)).toEqual(LAYERS.flat());
});
