// A bundle starts in a third of the time (docs/decisions/0011-server-bundle.md).
import { basename, join } from 'node:path';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { FOR_NODE, esbuildOr, put, putAll } from './built-files.mjs';
import { ROOT, outputOf, readJson } from './prerequisites/run.mjs';

readArguments(`usage: node scripts/bundle-server.mjs

Bundles the programs of the server, and the attestation contracts, into packages/server/dist. Takes no arguments.`);

const dist = join(ROOT, 'packages/server/dist');
const out = join(dist, 'run');
const entryPoints = {
  serve: join(dist, 'main.js'),
  admin: join(dist, 'admin', 'main.js'),
  devnet: join(dist, 'devnet-main.js'),
};

/** These read files next to their code, or are loaded on demand. */
const APART = ['@electric-sql/*', '@opentelemetry/*', 'oidc-provider', 'openid-client', 'pg-native', 'pino'];

const esbuild = await esbuildOr(join(out, 'serve.js'));
const { outputFiles } = await esbuild.build({
  ...FOR_NODE,
  entryPoints,
  outdir: out,
  chunkNames: '[name].[hash]',
  external: APART,
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
  const { contractName, abi, bytecode } = readJson(`node_modules/${source}`);
  await put(join(dist, `chain/contracts/${name}.json`), JSON.stringify({ contractName, abi, bytecode }));
}
await put(join(dist, 'build.json'), `${JSON.stringify({ commit: await commitOfSource() })}\n`);

async function commitOfSource() {
  if (process.env['SOURCE_COMMIT']) return process.env['SOURCE_COMMIT'];
  const git = (...args) => outputOf('git', ['-c', 'safe.directory=*', ...args], ROOT);
  if ((await git('rev-parse', '--show-prefix')) !== '') return null;
  return (await git('describe', '--always', '--dirty', '--abbrev=40', '--exclude', '*')) ?? null;
}
