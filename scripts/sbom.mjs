// Lists packages with their dependencies, as package-lock.json has them, in CycloneDX 1.6.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { readJson } from './prerequisites/run.mjs';

/**
 * Lists the dependencies of these folders, bundled or not. `npm sbom` would add development dependencies. The same input
 * gives the same bytes.
 * @param {readonly string[]} folders such as packages/server
 * @param {string} timestamp RFC 3339
 * @param {(name: string) => string} [published] the name of a package at the registry
 */
export function sbomOf(folders, timestamp, published = (name) => name) {
  const { packages: locked } = readJson('package-lock.json');
  const { name, version, license } = readJson('package.json');
  const found = new Map();
  const visit = (path) => {
    if (found.has(path)) return;
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked[path];
    const isNeeded = (peer) => peerDependenciesMeta?.[peer]?.optional !== true;
    const peers = Object.keys(peerDependencies ?? {}).filter(isNeeded);
    const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    const needed = names.flatMap((one) => placeOf(locked, path, one) ?? []);
    found.set(path, needed);
    needed.forEach(visit);
  };
  folders.forEach(visit);
  const components = [...found.keys()].map((path) => componentOf(path, locked[path], published));
  const ref = (path, needed) => ({ ref: path, dependsOn: [...new Set(needed)] });
  const licenses = [{ expression: license }];
  const content = {
    version: 1,
    metadata: { timestamp, component: { type: 'application', 'bom-ref': name, name, version, licenses } },
    components: components.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    dependencies: [ref(name, folders), ...[...found].map(([path, needed]) => ref(path, needed))],
  };
  return { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialNumberOf(content), ...content };
}

/** A UUID of version 8 (RFC 9562), from the content. */
function serialNumberOf(content) {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
  ];
  return `urn:uuid:${[...parts, digest.slice(20, 32)].join('-')}`;
}

/** Resolves like Node.js; undefined for packages of other systems. */
function placeOf(locked, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    const entry = locked[path];
    if (entry !== undefined) return entry.link === true ? entry.resolved : path;
    if (folder === '.') return undefined;
  }
}

function componentOf(
  path,
  { name = path.split('node_modules/').at(-1), version, license, integrity },
  published,
) {
  const [algorithm, digest] = integrity?.split(/-(.*)/s) ?? [];
  const shown = published(name);
  return {
    type: 'library',
    'bom-ref': path,
    name: shown,
    version,
    purl: `pkg:npm/${shown.replace('@', '%40')}@${version}`,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
  };
}
