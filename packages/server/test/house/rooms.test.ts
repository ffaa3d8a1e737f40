import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { APART, BESIDE, LAYERS, MODULES, ONLY_FOR, PACKAGES, UPWARD } from '../../../../house.config.js';
import { trackedFiles } from '../../../../testing/repository.ts';
import { circles, importsAmong, importsOf, roomOf, ROOT } from './imports.ts';

/** Imports of more than types. */
const CALLABLE = /^import (?!type )[^;]*? from '(\.[^']+)';/gm;
/** Imports of packages, by their names or by their places. */
const OF_A_PACKAGE = /(?:from|import)\s*\(?\s*'(?:@svc\/|(?:\.\.\/)+packages\/)([a-z]+)/g;

const { files } = importsOf('packages/server/src');
const crossing = crossingIn(files);
const heights = new Map(LAYERS.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)));
const heightOf = (file: string): number => heights.get(roomOf(file)) ?? Infinity;

function crossingIn(imports: ReadonlyMap<string, readonly string[]>): { from: string; to: string }[] {
  return [...imports].flatMap(([from, imported]) =>
    imported.filter((to) => roomOf(to) !== roomOf(from)).map((to) => ({ from, to })),
  );
}

describe('packages', () => {
  test.each(Object.entries(PACKAGES))('%s imports no other package than it may', (name, allowed) => {
    const imported = new Set([...importsOf(`packages/${name}/src`).packages.values()].flat());
    expect([...imported].filter((other) => !allowed.includes(other))).toEqual([]);
  });

  test.each(Object.keys(PACKAGES))('%s leads by no path out of itself', (name) => {
    const imports = [...importsOf(`packages/${name}/src`).files];
    const outside = imports.flatMap(([from, to]) =>
      to.filter((path) => path.startsWith('../../')).map((path) => `${from}: ${path}`),
    );
    expect(outside).toEqual([]);
  });

  test.each(Object.keys(PACKAGES))('%s has no circle of files, of imports of types either', (name) => {
    expect(circles(importsOf(`packages/${name}/src`).files)).toEqual([]);
  });

  test.each(Object.keys(PACKAGES))('%s has no circle of folders, of imports of types either', (name) => {
    const imports = importsOf(`packages/${name}/src`).files;
    const arrows = new Map([...imports.keys()].map((file) => [roomOf(file), [] as string[]]));
    for (const { from, to } of crossingIn(imports)) arrows.get(roomOf(from))!.push(roomOf(to));
    expect(circles(arrows)).toEqual([]);
  });
});

describe('what stands beside the packages', () => {
  test('tests, what they share, scripts and measurements have no circle of files', () => {
    const tests = Object.keys(PACKAGES).map((name) => `packages/${name}/test`);
    const imports = importsAmong(['bench', 'docs', 'e2e', 'scripts', 'testing', ...tests]);
    expect(imports.size).toBeGreaterThan(500);
    expect(circles(imports)).toEqual([]);
  });
});

describe('rooms of the server', () => {
  test('each has its layer, and each layer holds rooms that are there', () => {
    expect([...new Set([...files.keys()].map(roomOf))].sort()).toEqual([...heights.keys()].sort());
  });

  test('every import runs downward, but for at most three that say why', () => {
    const upward = crossing.filter(({ from, to }) => heightOf(to) >= heightOf(from));
    const excused = UPWARD.map(({ from, to }) => ({ from, to }));
    expect(upward).toEqual(excused);
    expect(UPWARD.length).toBeLessThanOrEqual(3);
    expect(UPWARD.filter(({ why }) => why.trim() === '')).toEqual([]);
  });

  test.each(Object.entries(ONLY_FOR))('%s is imported by who may', (room, { rooms }) => {
    const others = crossing.filter(({ to }) => roomOf(to) === room).map(({ from }) => roomOf(from));
    expect([...new Set(others)].filter((other) => !rooms.includes(other))).toEqual([]);
  });
});

describe('folders', () => {
  const isBelow = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);

  test.each(Object.entries(APART))('%s calls nothing whose shapes it knows', (folder, { shapesOf }) => {
    const inside = [...files.keys()].filter((file) => isBelow(file, folder));
    const called = inside.flatMap((file) =>
      [...readFileSync(join(ROOT, 'packages/server/src', file), 'utf8').matchAll(CALLABLE)]
        .map(([, path]) => normalize(join(dirname(file), path!)))
        .filter((path) => shapesOf.some((place) => isBelow(path, place)))
        .map((path) => `${file}: ${path}`),
    );
    expect(called).toEqual([]);
    const known = inside.flatMap((file) => files.get(file)!);
    expect(shapesOf.filter((place) => !known.some((file) => isBelow(file, place)))).toEqual([]);
  });

  test.each(Object.entries(APART))('%s stands apart', (folder, { of }) => {
    const inside = [...files].filter(([file]) => isBelow(file, folder));
    expect(inside.length).toBeGreaterThan(0);
    const faults = inside.flatMap(([, imported]) =>
      imported.filter((file) => of.some((place) => isBelow(file, place))),
    );
    expect(faults).toEqual([]);
    // Each is there still.
    expect(of.filter((place) => ![...files.keys()].some((file) => isBelow(file, place)))).toEqual([]);
  });
});

test.each(Object.entries(BESIDE))('%s/ imports only its packages', (folder, allowed) => {
  const imported = trackedFiles()
    .filter((file) => file.startsWith(`${folder}/`) && /\.m?[jt]s$/.test(file))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(OF_A_PACKAGE)])
    .map(([, name]) => name!);
  expect([...new Set(imported)].sort()).toEqual([...allowed].sort());
});

test('house.config.js says what each module contains', () => {
  expect(Object.keys(MODULES)).toEqual(LAYERS.flat());
});
