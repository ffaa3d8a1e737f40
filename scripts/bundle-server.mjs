// Loading two thousand modules takes more than a second, the bundle a third
// (docs/decisions/0011-one-file-to-start.md).
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { FOR_NODE, esbuildOr, put, putAll } from './built-files.mjs';

readArguments(`usage: node scripts/bundle-server.mjs

Bundles the programs of the server, and the attestation contracts, into packages/server/dist. Takes no arguments.`);

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'packages/server/dist');
const out = join(dist, 'run');
const entryPoints = {
  serve: join(dist, 'main.js'),
  admin: join(dist, 'admin', 'main.js'),
  devnet: join(dist, 'devnet-main.js'),
};

/** These read files next to their code, or are loaded on demand. */
const APART = /^(@electric-sql\/|@opentelemetry\/|oidc-provider$|openid-client$|pg-native$|pino$)/;
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: APART }, ({ path }) => ({ path, external: true }));
  },
};

const esbuild = await esbuildOr(join(out, 'serve.js'));
const { outputFiles } = await esbuild.build({
  ...FOR_NODE,
  entryPoints,
  outdir: out,
  chunkNames: '[name].[hash]',
  plugins: [apart],
});
const files = outputFiles.map(({ path, contents }) => [basename(path), contents]);
const isEntry = ([name]) => basename(name, '.js') in entryPoints;
// Entries are written last, so that a starting process finds their imports.
await putAll(
  out,
  files.sort((a, b) => isEntry(a) - isEntry(b)),
);
// The deployment does not need this development dependency.
for (const name of ['EAS', 'SchemaRegistry']) {
  const source = `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`;
  const { contractName, abi, bytecode } = JSON.parse(
    await readFile(join(root, 'node_modules', source), 'utf8'),
  );
  await put(join(dist, `chain/contracts/${name}.json`), JSON.stringify({ contractName, abi, bytecode }));
}
await put(join(dist, 'build.json'), `${JSON.stringify({ commit: commitOfSource() })}\n`);

function commitOfSource() {
  if (process.env['SOURCE_COMMIT']) return process.env['SOURCE_COMMIT'];
  const git = (...args) => {
    const options = { cwd: root, encoding: 'utf8' };
    const { status, stdout } = spawnSync('git', ['-c', 'safe.directory=*', ...args], options);
    return status === 0 ? stdout.trim() : undefined;
  };
  if (git('rev-parse', '--show-prefix') !== '') return null;
  return git('describe', '--always', '--dirty', '--abbrev=40', '--exclude', '*') ?? null;
}
