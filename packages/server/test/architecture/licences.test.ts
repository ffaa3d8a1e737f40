// Runs without a database.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  license?: string;
  dev?: boolean;
  link?: boolean;
}

/** Apache-2.0 software may include these; MPL-2.0 for unchanged files, OFL-1.1 for fonts. */
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
/** A person read this text: software may include the Bitstream Vera fonts. */
const READ = new Map([['node_modules/dejavu-fonts-ttf', 'SEE LICENSE IN README.md AND LICENSE']]);

const lock = JSON.parse(readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};
const shipped = Object.entries(lock.packages).filter(
  ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
);

test('every shipped package has a license that allows shipping it', () => {
  expect(shipped.length).toBeGreaterThan(100);
  const others = shipped
    .filter(([path, { license }]) => !ALLOWED.has(license ?? 'none') && READ.get(path) !== license)
    .map(([path, { license }]) => `${path}: ${license ?? 'none'}`);
  expect(others).toEqual([]);
});

test('no shipped package requires an install script', () => {
  const scripted = shipped.filter(([, locked]) => 'hasInstallScript' in locked).map(([path]) => path);
  // The script only checks whether the binary for this machine is present.
  expect(scripted).toEqual(['node_modules/@foundry-rs/anvil']);
});
