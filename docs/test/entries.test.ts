import { join } from 'node:path';
import { createClient } from '@svc/sdk';
import { describe, expect, test } from 'vitest';
import { examplesOf, functionsOf, sourcesOf } from '../../testing/examples.ts';
import { read, root, trackedFiles } from '../../testing/repository.ts';

const PROTOCOL = 'packages/protocol/test/examples.test.ts';
const VERIFIER = 'packages/verifier/test/examples.test.ts';
const DOCS = 'docs/test/examples.test.ts';
/** [entry, folders with its examples, test that runs them] */
const ENTRIES: readonly (readonly [entry: string, folders: readonly string[], test: string])[] = [
  ['@svc/protocol', ['protocol/src'], PROTOCOL],
  ['@svc/protocol/keccak', ['protocol/src'], PROTOCOL],
  ['@svc/protocol/account-index', ['protocol/src/account-index'], PROTOCOL],
  ['@svc/protocol/conventions', ['protocol/src/conventions', 'protocol/src/timelock'], PROTOCOL],
  ['@svc/protocol/timelock', ['protocol/src/timelock'], PROTOCOL],
  ['@svc/protocol/tlog', ['protocol/src/tlog', 'protocol/src/timelock'], PROTOCOL],
  ['@svc/verifier', ['verifier/src'], DOCS],
  ['@svc/sdk/client', ['sdk/src'], DOCS],
  ['@svc/verifier/account-index', ['verifier/src/account-index'], VERIFIER],
  ['@svc/verifier/answers', ['verifier/src/answers'], VERIFIER],
  ['@svc/verifier/misfit', ['verifier/src/answers'], VERIFIER],
  ['@svc/verifier/evidence', ['verifier/src/evidence', 'verifier/src/proofs'], VERIFIER],
  ['@svc/verifier/opening', ['verifier/src/opening'], VERIFIER],
  ['@svc/verifier/requests', ['verifier/src/requests'], DOCS],
  // Re-exports have their examples in their own package.
  ['@svc/sdk', ['sdk/src', 'protocol/src', 'verifier/src'], DOCS],
];

describe('the published entries', () => {
  test.each(['protocol', 'verifier', 'sdk'])('include every entry of %s', (name) => {
    const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as {
      exports: Record<string, unknown>;
    };
    const published = Object.keys(exports).map((entry) => join('@svc', name, entry));
    const here = ENTRIES.map(([entry]) => entry).filter((entry) => entry.split('/')[1] === name);
    expect(here.sort()).toEqual(published.map((entry) => entry.replace(/\/$/, '')).sort());
  });

  test.each(ENTRIES)('every function of %s has an example', async (entry, folders) => {
    const examples = folders.map((folder) => examplesOf(sourcesOf(join(root, 'packages', folder))));
    const functions = functionsOf((await import(/* @vite-ignore */ entry)) as object);
    expect(functions.length).toBeGreaterThan(0);
    expect(functions.filter((name) => !examples.some((some) => some.has(name)))).toEqual([]);
  });

  test('every call of a client has an example', () => {
    const calls = functionsOf(createClient({ baseUrl: 'http://127.0.0.1:9' }));
    const examples = examplesOf(sourcesOf(join(root, 'packages/sdk/src')));
    expect(calls.length).toBeGreaterThan(12);
    expect(calls.filter((name) => !examples.has(name))).toEqual([]);
  });

  test.each(ENTRIES)('the examples of %s are run', (_entry, _folders, file) => {
    expect(read(file)).toContain('runExample(');
  });

  test('every example is in a folder that these tests read', () => {
    const folders = new Set(ENTRIES.flatMap(([, folders]) => folders.map((folder) => `packages/${folder}`)));
    const files = trackedFiles().filter((file) =>
      /^packages\/(?:protocol|verifier|sdk)\/src\/.*\.ts$/.test(file),
    );
    expect(files.length).toBeGreaterThan(80);
    const shown = files.filter((file) => read(file).includes('@example'));
    expect(shown.filter((file) => !folders.has(file.slice(0, file.lastIndexOf('/'))))).toEqual([]);
  });
});
