// Makes every file of a release. deploy/README.md says how to publish and how to check them.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { createHash } = await import('node:crypto');
const { existsSync } = await import('node:fs');
const { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } = await import('node:fs/promises');
const { basename, join, relative, resolve } = await import('node:path');
const { readArguments } = await import('../packages/server/bin/arguments.mjs');
const { changesOf } = await import('./changelog.mjs');
const { registryEntry, registryName } = await import('./registry-entry.mjs');
const { PROGRAM, SUMS, checkKey, checkOut } = await import('./release-paths.mjs');
const { sbomOf } = await import('./sbom.mjs');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { ROOT, SetupError, call, orExplain, readJson, say } = await import('./prerequisites/run.mjs');

/** Each package follows its dependencies. */
const PUBLISHED = ['protocol', 'contract', 'verifier', 'timestamp', 'sdk', 'cli', 'mcp'];
/** Readers name it too, so that a signature of something else by the same key does not pass. */
const NAMESPACE = 'svc-release';
const OWN = '@svc/';
const TEXT = /\.(?:js|mjs|ts|json|md|map)$/;
/** A larger tarball may contain a wrong file. */
const MOST_BYTES = 540_000;
const ALWAYS = ['LICENSE', 'README.md', 'package.json'];
const NEVER = /(?:^|\/)(?:test|node_modules|\.env|\.cache)(?:\/|$)|\.tsbuildinfo$|\.test\.[jt]s$/;

const { values: options } = readArguments(
  `usage: npm run release -- --scope @yours --repository https://...

Makes every file of a release in a folder: tarballs for a registry, svc.mjs, Debian packages, a list of the tarballs'
dependencies (sbom.cdx.json), the entry for the registry of MCP servers (server.json), the changes, provenance and
SHA256SUMS. The same commit gives the same bytes on the same Node.js (now ${process.version}) and the same release of Ubuntu.
It publishes nothing.

  --key          sign SHA256SUMS with this key, as ssh-keygen -Y sign does; not in the repository or the folder
  --scope        the scope that you hold at the registry
  --repository   the https URL that the source is read at
  --out          the folder: new, empty, or of an earlier release, which is deleted; default: release
  --no-debian    leave out the Debian packages, which need dpkg-deb
  --dirty        pack changes that are not committed, too
  --signatures   check the registry's signatures of what is installed`,
  {
    options: {
      key: { type: 'string' },
      scope: { type: 'string' },
      repository: { type: 'string' },
      out: { type: 'string', default: join(ROOT, 'release') },
      'no-debian': { type: 'boolean', default: false },
      dirty: { type: 'boolean', default: false },
      signatures: { type: 'boolean', default: false },
    },
  },
);
const { scope, repository } = options;
const out = resolve(options.out);
const key = options.key && resolve(options.key);
const writeJson = (path, value) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`);

await orExplain(async () => {
  if (!/^@[a-z0-9][a-z0-9._-]*$/.test(scope ?? ''))
    throw new SetupError('--scope: the scope that you hold at the registry, as @yours');
  if (!/^https:\/\/\S+$/.test(repository ?? ''))
    throw new SetupError('--repository: the https url that the source is read at');
  if (key !== undefined) await checkKey(key, out);
  await checkOut(out);
  const commit = await call('git', ['rev-parse', 'HEAD']);
  if (!options.dirty && (await call('git', ['status', '--porcelain'])) !== '')
    throw new SetupError('something is not committed: what is published must be what others can build');
  await prepare();
  // Checked before the build includes a tampered dependency.
  if (options.signatures) await call('npm', ['audit', 'signatures']);

  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const packed = [];
  for (const name of PUBLISHED) packed.push(await pack(name));
  const { version } = readJson('package.json');
  const date = new Date(await call('git', ['show', '--no-patch', '--format=%cI', 'HEAD'])).toISOString();
  await copyFile(join(ROOT, 'packages/server/dist/install', PROGRAM), join(out, PROGRAM));
  const folders = PUBLISHED.map((name) => `packages/${name}`);
  await writeJson(join(out, 'sbom.cdx.json'), sbomOf(folders, date, underScope));
  await writeJson(join(out, 'server.json'), registryEntry(repository, underScope));
  await writeFile(join(out, 'changes.txt'), changesOf(version));
  const maintainer = await call('git', ['show', '--no-patch', '--format=%aN <%aE>', 'HEAD']);
  // Reads node_modules when imported.
  const { debianPackages } = await import('./debian.mjs');
  const debian = options['no-debian']
    ? []
    : await debianPackages(out, { version, date, maintainer, homepage: repository });
  const tarballs = packed.map(({ file }) => basename(file));
  const built = [...tarballs, ...debian, PROGRAM, 'sbom.cdx.json', 'server.json', 'changes.txt'];
  await writeJson(join(out, 'provenance.json'), provenance(await digestsOf(built), commit, version));
  const listed = await digestsOf([...built, 'provenance.json']);
  await writeFile(join(out, SUMS), listed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  if (key !== undefined)
    await call('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', NAMESPACE, join(out, SUMS)]);
  for (const { name, size, file } of packed) say(`${name} ${version}  ${size} bytes  ${basename(file)}`);
  console.log(JSON.stringify(packed.map(({ name, file, folder }) => ({ name, tarball: file, folder }))));
});

async function pack(name) {
  const folder = await stage(name);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out];
  const [packed] = JSON.parse(await call('npm', args, { cwd: folder }));
  const faults = faultsOf(readJson(join(folder, 'package.json')), packed);
  if (faults.length > 0) throw new SetupError(faults.map((fault) => `${packed.name}: ${fault}`).join('\n'));
  return { ...packed, file: join(out, basename(packed.filename)), folder };
}

function digestsOf(names) {
  return Promise.all(
    names.map(async (name) => {
      const digest = createHash('sha256').update(await readFile(join(out, name)));
      return { name, sha256: digest.digest('hex') };
    }),
  );
}

/** Copies a package under the scope. @returns the folder */
async function stage(name) {
  const from = join(ROOT, 'packages', name);
  const to = join(out, 'staged', name);
  const manifest = readJson(join(from, 'package.json'));
  const wanted = manifest.files.filter((file) => !file.startsWith('!'));
  for (const file of ['README.md', ...wanted])
    await cp(join(from, file), join(to, file), { recursive: true, filter: (path) => hasSource(from, path) });
  await cp(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
  const origin = { type: 'git', url: repository, directory: `packages/${name}` };
  const named = manifest.mcpName && { mcpName: registryName(repository) };
  await writeJson(join(to, 'package.json'), { ...manifest, ...named, repository: origin });
  for (const file of await readdir(to, { recursive: true })) {
    if (!TEXT.test(file)) continue;
    const text = await readFile(join(to, file), 'utf8');
    await writeFile(join(to, file), underScope(text));
  }
  return to;
}

function underScope(text) {
  return text.replaceAll(OWN, `${scope}/`);
}

/** The compiler leaves the output of sources that are gone. */
function hasSource(from, path) {
  const [, name] = /^dist\/(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(relative(from, path)) ?? [];
  return (
    name === undefined || ['ts', 'tsx'].some((ending) => existsSync(join(from, 'src', `${name}.${ending}`)))
  );
}

function faultsOf(
  { name, version, exports = {}, bin = {}, man = [], dependencies = {}, scripts },
  { files, size },
) {
  const paths = new Set(files.map(({ path }) => path));
  const entries = [...Object.values(exports).flatMap(Object.values), ...Object.values(bin), ...[man].flat()];
  const needed = [...ALWAYS, ...entries.map((path) => path.replace(/^\.\//, ''))];
  const own = Object.entries(dependencies).filter(([other]) => other.startsWith(`${scope}/`));
  return [
    ...needed.filter((path) => !paths.has(path)).map((path) => `${path} is not in it`),
    ...[...paths].filter((path) => NEVER.test(path)).map((path) => `${path} does not belong into it`),
    ...(size > MOST_BYTES ? [`it has ${size} bytes, more than ${MOST_BYTES}`] : []),
    ...(name.startsWith(`${scope}/`) ? [] : [`its name ${name} is not of ${scope}`]),
    ...(scripts ? ['it runs scripts'] : []),
    ...own
      .filter(([, its]) => its !== version)
      .map(([other, its]) => `it depends on ${other} ${its}, not ${version}`),
  ];
}

/** in-toto statement (https://in-toto.io/Statement/v1), SLSA v1, unsigned. */
function provenance(digests, commit, version) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: digests.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/${commit}/scripts/release.mjs`,
        externalParameters: { scope, version },
        resolvedDependencies: [{ uri: `git+${repository}`, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `node ${process.version}` } },
    },
  };
}
