import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const options = {
  ...({ bundle: true, platform: 'browser', format: 'esm', minify: true, logLevel: 'silent' } as const),
  ...({ write: false, metafile: true } as const),
};

test('runs in a browser without modules of Node, schemas or server code', async () => {
  const entryPoints = [join(folder, 'dist/index.js')];
  const { metafile, outputFiles } = await build({ ...options, entryPoints });
  const inputs = Object.keys(metafile.inputs);
  expect(
    inputs.filter((path) => /typebox|packages\/server\/|packages\/contract\/(?!dist\/tables\.js)/.test(path)),
  ).toEqual([]);
  expect(inputs.some((path) => path.includes('packages/verifier/'))).toBe(true);
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(imported).toEqual([]);
  const code = outputFiles[0]!.text;
  expect(code).not.toMatch(/\bprocess\.|\bBuffer\./);
});

test('a page that only searches loads at most 15 kB, gzipped', async () => {
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: `import { createClient } from '@svc/sdk/client';
        for await (const etch of createClient({ baseUrl: '/' }).search({ q: 'bridge' })) console.log(etch.url);`,
      resolveDir: folder,
    },
    ...options,
    outdir: join(folder, 'none'),
    absWorkingDir: folder,
    splitting: true,
  });
  // Dynamic imports are loaded on demand.
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: next } of metafile.outputs[path]!.imports)
      if (kind === 'import-statement') load(next);
  };
  load('none/stdin.js');
  const sizes = outputFiles
    .filter(({ path }) => loaded.has(path.slice(folder.length + 1)))
    .map(({ contents }) => gzipSync(contents).length);
  expect(sizes).toHaveLength(loaded.size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(15_000);
});
