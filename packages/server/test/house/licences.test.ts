import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  license?: string;
  dev?: boolean;
  link?: boolean;
}

/** What may be shipped with software under Apache-2.0; MPL-2.0 for files that we leave as they are, OFL-1.1 for fonts. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'MIT OR Apache-2.0',
  'MPL-2.0',
  'OFL-1.1',
]);
/** Their own words, read: the fonts of Bitstream Vera, which may be shipped with software. */
const READ = new Map([['node_modules/dejavu-fonts-ttf', 'SEE LICENSE IN README.md AND LICENSE']]);

const lock = JSON.parse(readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};
const shipped = Object.entries(lock.packages).filter(
  ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
);

test('every package that is shipped has a licence that allows it', () => {
  expect(shipped.length).toBeGreaterThan(100);
  const others = shipped
    .filter(([path, { license }]) => !ALLOWED.has(license ?? 'none') && READ.get(path) !== license)
    .map(([path, { license }]) => `${path}: ${license ?? 'none'}`);
  expect(others).toEqual([]);
});

test('no package that is shipped needs a script when it is installed', () => {
  const scripted = shipped.filter(([, locked]) => 'hasInstallScript' in locked).map(([path]) => path);
  // It only looks whether the program for this machine was brought along.
  expect(scripted).toEqual(['node_modules/@foundry-rs/anvil']);
});
