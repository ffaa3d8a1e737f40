import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { newFolder } from '../machine/folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    svcProgram: string;
  }
}

/** Tests run `svc` hundreds of times. e2e/packages.test.ts runs the published form. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = newFolder('svc');
  await build({
    entryPoints: [join(import.meta.dirname, '../../packages/cli/bin/svc.mjs')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    charset: 'utf8',
    // CommonJS packages need this.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  });
  project.provide('svcProgram', join(folder, 'svc.mjs'));
  return () => rm(folder, { recursive: true, force: true });
}
