// node scripts/image-files.mjs <folder>: copies the bundles, and packages outside the bundles
// (scripts/bundle-server.mjs), threads, fonts and the chain.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

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

const DATA = [
  ['@embedpdf/fonts-sc', /^(?:dist\/index\.c?js|fonts\/NotoSansHans-Regular\.otf)$/],
  ...['gowun-dodum', 'noto-emoji', 'noto-sans-thai'].map((name) => [
    `@fontsource/${name}`,
    /^(?:unicode\.json|files\/.*-400-normal\.woff2)$/,
  ]),
  ['dejavu-fonts-ttf', /^ttf\/DejaVu(?:Serif-Bold|Serif|Sans)\.ttf$/],
  ['@foundry-rs/anvil', /./],
];

/** Only builds need these, and the extensions of the embedded database except one. */
const OF_NO_USE = /\.(?:map|md|markdown|[cm]?tsx?)$|^dist\/(?!pg_trgm\.)[^/]*\.tar\.gz$/;
const TERMS = /^(?:package\.json|(?:licen[cs]e|copying|notice|ofl)[^/]*)$/i;

/**
 * @returns {Promise<{ files: { path: string, bytes: number }[], links: { path: string, to: string }[], packages:
 * string[] }>}
 */
export async function imageFiles() {
  const inputs = await traced();
  const workspaces = new Set();
  const packages = new Set(DATA.map(([name]) => join('node_modules', name)));
  for (const name of ofAnvil()) packages.add(name);
  const paths = new Set(BESIDE.flatMap(filesIn));
  for (const input of inputs) {
    const at = input.lastIndexOf('node_modules/');
    if (at === -1) {
      paths.add(input);
      workspaces.add(input.split('/').slice(0, 2).join('/'));
    } else packages.add(input.slice(0, at) + nameIn(input.slice(at)));
  }
  for (const folder of packages) {
    const kept = DATA.find(([name]) => folder === join('node_modules', name))?.[1];
    for (const path of filesIn(folder)) {
      const inside = path.slice(folder.length + 1);
      if (inside.startsWith('node_modules/')) continue;
      if (TERMS.test(inside) || (kept === undefined ? !OF_NO_USE.test(inside) : kept.test(inside)))
        paths.add(path);
    }
  }
  for (const folder of workspaces) paths.add(`${folder}/package.json`);
  return {
    files: [...paths].sort().map((path) => ({ path, bytes: statSync(join(root, path)).size })),
    links: [...workspaces].sort().map((folder) => {
      const { name } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const path = join('node_modules', name);
      return { path, to: relative(dirname(path), folder) };
    }),
    packages: [...packages].sort(),
  };
}

async function traced() {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: PROGRAMS,
    outdir: join(root, 'none'),
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
    (input) => !input.includes(':') && existsSync(join(root, input)),
  );
}

/** The binary is in the package for its system. */
function ofAnvil() {
  const folder = 'node_modules/@foundry-rs';
  return readdirSync(join(root, folder))
    .filter((name) => name.startsWith('anvil-'))
    .map((name) => `${folder}/${name}`);
}

const nameIn = (path) =>
  path
    .split('/')
    .slice(0, path.startsWith('node_modules/@') ? 3 : 2)
    .join('/');

function filesIn(path) {
  const whole = join(root, path);
  if (!statSync(whole).isDirectory()) return [path];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

async function copyTo(folder) {
  const { files, links, packages } = await imageFiles();
  for (const { path } of files) await cp(join(root, path), join(folder, path), { preserveTimestamps: true });
  for (const { path, to } of links) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(to, join(folder, path));
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(
    `${files.length} files of ${packages.length} packages, ${Math.round(bytes / 1e6)} MB, in ${folder}`,
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const usage = 'usage: node scripts/image-files.mjs <new folder>';
  const [folder, ...rest] = readArguments(usage, { allowPositionals: true }).positionals;
  if (folder === undefined || rest.length > 0 || existsSync(folder))
    wrongCall(usage, 'One folder that does not exist is needed.');
  await copyTo(folder);
}
