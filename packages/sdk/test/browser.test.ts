import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');

test('runs in a browser without modules of Node, schemas or server code', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(folder, 'dist/index.js')],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => /typebox|packages\/(?:contract|server)\//.test(path))).toEqual([]);
  expect(inputs.some((path) => path.includes('packages/verifier/'))).toBe(true);
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(imported).toEqual([]);
  const code = outputFiles[0]!.text;
  expect(code).not.toMatch(/\bprocess\.|\bBuffer\./);
});

test('declares exactly the dependencies that it imports', () => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies)).toEqual([
    '@noble/curves',
    '@svc/contract',
    '@svc/protocol',
    '@svc/verifier',
  ]);
});
