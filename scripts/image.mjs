// node scripts/image.mjs <folder>: copies the bundles, and packages outside the bundles (scripts/bundle-server.mjs),
// threads, fonts and the chain, and lists the server's dependencies in sbom.cdx.json.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';
import { ROOT, readJson } from './prerequisites/run.mjs';
import { sbomOf } from './sbom.mjs';

const PROGRAMS = [
  'packages/server/dist/run/serve.js',
  'packages/server/dist/run/admin.js',
  'packages/server/dist/run/devnet.js',
  'packages/server/dist/db/pglite-thread.js',
  'packages/server/dist/etches/timelock-thread.js',
  'packages/web/dist/cards/worker.js',
];

/** Programs read these, or they are next to their code. */
const BESIDE = [
  'package.json',
  'LICENSE',
  'packages/server/bin',
  'packages/server/dist/build.json',
  'packages/server/dist/chain/contracts',
  'packages/server/dist/install',
  'packages/server/src/db/migrations',
  'packages/web/dist/index.js',
  'packages/web/dist/islands',
];

const REGULAR_FONT = /^(?:unicode\.json|files\/.*-400-normal\.woff2)$/;
const LATIN_FONT = /^files\/.*-latin-wght-normal\.woff2$/;
/** The kept files of packages without code. The chain's binary is in the package for its system. */
const DATA = {
  '@embedpdf/fonts-sc': /^(?:dist\/index\.c?js|fonts\/NotoSansHans-Regular\.otf)$/,
  '@fontsource/gowun-dodum': REGULAR_FONT,
  '@fontsource/noto-emoji': REGULAR_FONT,
  '@fontsource/noto-sans-thai': REGULAR_FONT,
  '@fontsource-variable/besley': LATIN_FONT,
  '@fontsource-variable/figtree': LATIN_FONT,
  'dejavu-fonts-ttf': /^ttf\/DejaVuSans\.ttf$/,
};
for (const name of readdirSync(join(ROOT, 'node_modules/@foundry-rs'))) DATA[`@foundry-rs/${name}`] = /./;

/** Only builds, tests and readers need these, and the extensions of the embedded database except one. */
const OF_NO_USE =
  /\.(?:html|map|md|markdown|sh|[cm]?tsx?)$|^(?:docs|scripts|test)\/|(?:^|\/)\.|^dist\/(?!pg_trgm\.)[^/]*\.tar\.gz$/;
const TERMS = /^(?:package\.json|(?:licen[cs]e|copying|notice|ofl)[^/]*)$/i;

/** @returns {Promise<{ files: { path: string, bytes: number }[], links: { path: string, to: string }[], packages: string[] }>} */
export async function imageFiles() {
  const packages = new Set(Object.keys(DATA).map((name) => `node_modules/${name}`));
  const paths = new Set(BESIDE.flatMap(filesIn));
  const workspaces = new Set();
  for (const input of await traced()) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (folder !== undefined) packages.add(folder);
    else {
      paths.add(input);
      workspaces.add(input.split('/').slice(0, 2).join('/'));
    }
  }
  for (const folder of packages) {
    const kept = DATA[folder.slice('node_modules/'.length)];
    const isKept = (path) => TERMS.test(path) || (kept ? kept.test(path) : !OF_NO_USE.test(path));
    for (const path of filesIn(folder)) {
      const inside = path.slice(folder.length + 1);
      if (!inside.startsWith('node_modules/') && isKept(inside)) paths.add(path);
    }
  }
  for (const folder of workspaces) paths.add(`${folder}/package.json`);
  return {
    files: [...paths].sort().map((path) => ({ path, bytes: statSync(join(ROOT, path)).size })),
    links: [...workspaces].sort().map((folder) => {
      const path = join('node_modules', readJson(`${folder}/package.json`).name);
      return { path, to: relative(dirname(path), folder) };
    }),
    packages: [...packages].sort(),
  };
}

async function traced() {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: join(ROOT, 'none'),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: [],
    logLevel: 'error',
    loader: { '.node': 'empty' },
    external: ['pg-native', 'pino-pretty'],
  });
  return Object.keys(metafile.inputs).filter(
    (input) => !input.includes(':') && existsSync(join(ROOT, input)),
  );
}

function filesIn(path) {
  const whole = join(ROOT, path);
  if (!statSync(whole).isDirectory()) return [path];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** The server with its dependencies, bundled or not. */
export const imageSbom = (timestamp) => sbomOf(['packages/server'], timestamp);

async function copyTo(folder) {
  const { files, links, packages } = await imageFiles();
  for (const { path } of files) await cp(join(ROOT, path), join(folder, path), { preserveTimestamps: true });
  for (const { path, to } of links) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(to, join(folder, path));
  }
  const sbom = imageSbom(new Date().toISOString());
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
  const megabytes = Math.round(files.reduce((sum, file) => sum + file.bytes, 0) / 1e6);
  console.log(`${files.length} files of ${packages.length} packages, ${megabytes} MB, in ${folder}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const usage = 'usage: node scripts/image.mjs <new folder>';
  const [folder, ...rest] = readArguments(usage, { allowPositionals: true }).positionals;
  if (folder === undefined || rest.length > 0 || existsSync(folder))
    wrongCall(usage, 'One folder that does not exist is needed.');
  await copyTo(folder);
}
