import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { newFolder } from '../machine/folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `svc` with all its imports in a few files */
    svcProgram: string;
  }
}

/**
 * Bundles the built `svc`: tests run it hundreds of times, and loading its modules one by one takes longer than most commands. The
 * published form runs in e2e/packages.test.ts and in the documents' sessions.
 */
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
    // CommonJS packages load Node's own modules this way.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  });
  project.provide('svcProgram', join(folder, 'svc.mjs'));
  return () => rm(folder, { recursive: true, force: true });
}
