// Loading two thousand modules takes more than a second, the bundle a third
// (docs/decisions/0011-one-file-to-start.md).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { put, removeOthers } from './put.mjs';

readArguments(`usage: node scripts/bundle-server.mjs

Bundles the programs of the server into packages/server/dist/run. Takes no arguments.`);

const dist = fileURLToPath(new URL('../packages/server/dist/', import.meta.url));
const out = join(dist, 'run');

const esbuild = await import('esbuild').catch((error) => {
  // An installation without development dependencies uses the existing build.
  if (existsSync(join(out, 'serve.js'))) process.exit(0);
  throw error;
});

/** These read files next to their code, or are loaded on demand. */
const APART = /^(@electric-sql\/|@opentelemetry\/|oidc-provider$|openid-client$|pg-native$|pino$)/;
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: APART }, ({ path }) => ({ path, external: true }));
  },
};

const { outputFiles } = await esbuild.build({
  entryPoints: {
    serve: join(dist, 'main.js'),
    admin: join(dist, 'admin', 'main.js'),
    devnet: join(dist, 'devnet-main.js'),
  },
  outdir: out,
  bundle: true,
  splitting: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  chunkNames: '[name].[hash]',
  // CommonJS packages need this.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  plugins: [apart],
  logLevel: 'warning',
});

await mkdir(out, { recursive: true });
// Entries are written last, so that a starting process finds their imports.
const isEntry = ({ path }) => ['serve.js', 'admin.js', 'devnet.js'].includes(basename(path));
for (const { path, contents } of outputFiles.sort((a, b) => isEntry(a) - isEntry(b)))
  await put(path, contents);
await removeOthers(
  out,
  outputFiles.map(({ path }) => basename(path)),
);
await put(join(dist, 'build.json'), `${JSON.stringify({ commit: commitOfSource() })}\n`);

function commitOfSource() {
  if (process.env['SOURCE_COMMIT']) return process.env['SOURCE_COMMIT'];
  const root = fileURLToPath(new URL('../', import.meta.url));
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    return status === 0 ? stdout.trim() : undefined;
  };
  if (git('rev-parse', '--show-prefix') !== '') return null;
  return git('describe', '--always', '--dirty', '--abbrev=40', '--exclude', '*') ?? null;
}
