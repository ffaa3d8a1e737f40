// Gives the next release its version and its section in CHANGELOG.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';
import { CHANGELOG, UNRELEASED, changesOf } from './changelog.mjs';
import { ROOT, SetupError, orExplain, readJson, say } from './prerequisites/run.mjs';

const usage = `usage: npm run set-version -- <version>

Writes the version, such as 1.2.0, to every place that contains it, and moves the unreleased changes of CHANGELOG.md into a
section of the version with today's date. Commits nothing.`;

/** The text in front of the version, in files that are not JSON. Bundled programs cannot read package.json. */
const STATED = {
  'packages/contract/src/openapi/document.ts': "const API_VERSION = '",
  'packages/cli/src/main.ts': "const VERSION = '",
  'packages/mcp/src/server.ts': "const VERSION = '",
  'docs/specification.md': 'The version of the interface is ',
  'deploy/kubernetes.yaml': 'image: commitment-service:',
  'verifiers/python/pyproject.toml': 'version = "',
};

const REGISTRY_ENTRY = 'packages/mcp/server.json';

const { positionals } = readArguments(usage, { allowPositionals: true });
const [version, ...rest] = positionals;
const { version: before, workspaces } = readJson('package.json');
if (!/^\d+\.\d+\.\d+$/.test(version ?? '') || rest.length > 0) wrongCall(usage, 'One version is needed.');
if (!isLater(version, before))
  wrongCall(usage, `${version} is not later than ${before}, the present version.`);

await orExplain(async () => {
  const changelog = readFileSync(CHANGELOG, 'utf8');
  changesOf('Unreleased', changelog);
  const today = new Date().toISOString().slice(0, 10);
  const heading = `${UNRELEASED}\n## ${version} (${today})\n`;
  writeFileSync(
    CHANGELOG,
    changelog.replace(UNRELEASED, () => heading),
  );

  const manifests = ['.', ...workspaces].map((folder) => join(folder, 'package.json'));
  for (const path of manifests) writeJson(path, withVersion(readJson(path)));
  const lock = readJson('package-lock.json');
  for (const folder of ['', ...workspaces]) withVersion(lock.packages[folder]);
  writeJson('package-lock.json', { ...lock, version });
  const entry = readJson(REGISTRY_ENTRY);
  const packages = entry.packages.map((one) => ({ ...one, version }));
  writeJson(REGISTRY_ENTRY, { ...entry, version, packages });
  for (const [path, start] of Object.entries(STATED)) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (!text.includes(start + before)) throw new SetupError(`${path}: no "${start}${before}" to replace`);
    writeFileSync(join(ROOT, path), text.replace(start + before, start + version));
  }
  say(`${before} -> ${version}. Read CHANGELOG.md, run npm test, then commit and tag.`);
});

function isLater(one, other) {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  const at = left.findIndex((number, index) => number !== right[index]);
  return at !== -1 && left[at] > right[at];
}

function withVersion(manifest) {
  manifest.version = version;
  for (const table of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'])
    for (const name of Object.keys(manifest[table] ?? {}))
      if (name.startsWith('@svc/')) manifest[table][name] = version;
  return manifest;
}

function writeJson(path, value) {
  writeFileSync(join(ROOT, path), `${JSON.stringify(value, null, 2)}\n`);
}
