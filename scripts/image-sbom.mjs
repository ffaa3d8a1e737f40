// node scripts/image-sbom.mjs <file>: lists the server's dependencies, bundled or not. `npm sbom` would add
// development dependencies.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

export function imageSbom(timestamp) {
  const {
    version,
    license,
    packages: locked,
  } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const found = new Map();
  const visit = (path) => {
    if (found.has(path)) return;
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked[path];
    const isOptional = (name) => peerDependenciesMeta?.[name]?.optional === true;
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !isOptional(name));
    const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    const needed = names.map((name) => placeOf(locked, path, name)).filter((place) => place !== undefined);
    found.set(path, needed);
    needed.forEach(visit);
  };
  visit('packages/server');
  const parts = [...found].map(([path, needed]) => ({ path, needed, ...describe(locked, path) }));
  parts.sort((a, b) => (a.component.purl < b.component.purl ? -1 : 1));
  const refOf = new Map(parts.map(({ path, component }) => [path, component['bom-ref']]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp,
      component: {
        type: 'application',
        'bom-ref': manifest.name,
        name: manifest.name,
        version: version ?? manifest.version,
        licenses: [{ expression: license ?? manifest.license }],
      },
    },
    components: parts.map(({ component }) => component),
    dependencies: [
      { ref: manifest.name, dependsOn: [refOf.get('packages/server')] },
      ...parts.map(({ component, needed }) => ({
        ref: component['bom-ref'],
        dependsOn: [...new Set(needed.map((path) => refOf.get(path)))],
      })),
    ],
  };
}

/** Resolves like Node.js; undefined for packages of other systems. */
function placeOf(locked, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === '.' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = locked[path];
    if (entry !== undefined) return entry.link === true ? entry.resolved : path;
    if (folder === '.') return undefined;
  }
}

function describe(locked, path) {
  const { name, version, license, integrity } = locked[path];
  const called = name ?? path.split('node_modules/').at(-1);
  const purl = `pkg:npm/${called.replace('@', '%40')}@${version}`;
  const [algorithm, digest] = integrity?.split(/-(.*)/s) ?? [];
  return {
    component: {
      type: 'library',
      'bom-ref': path,
      name: called,
      version,
      purl,
      ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
      ...(algorithm === 'sha512' && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
    },
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const usage = 'usage: node scripts/image-sbom.mjs <file>';
  const [file, ...rest] = readArguments(usage, { allowPositionals: true }).positionals;
  if (file === undefined || rest.length > 0) wrongCall(usage, 'One file is needed.');
  const sbom = imageSbom(new Date().toISOString());
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${sbom.components.length} components in ${file}`);
}
