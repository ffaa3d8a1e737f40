import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A larger tarball may contain a wrong file. */
const MOST_BYTES = 400_000;
const ALWAYS = ['LICENSE', 'README.md', 'package.json'];
const NEVER = /(?:^|\/)(?:test|node_modules|\.env|\.cache)(?:\/|$)|\.tsbuildinfo$|\.test\.[jt]s$/;

export async function faultsOf(folder, packed, { scope }) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = new Set(packed.files.map(({ path }) => path));
  const entries = [
    ...Object.values(manifest.exports ?? {}).flatMap((entry) => Object.values(entry)),
    ...Object.values(manifest.bin ?? {}),
  ].map((path) => path.replace(/^\.\//, ''));
  const ours = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith(`${scope}/`));
  return [
    ...[...ALWAYS, ...entries].filter((path) => !files.has(path)).map((path) => `${path} is not in it`),
    ...[...files].filter((path) => NEVER.test(path)).map((path) => `${path} does not belong into it`),
    ...(packed.size > MOST_BYTES ? [`it has ${packed.size} bytes, more than ${MOST_BYTES}`] : []),
    ...(manifest.name.startsWith(`${scope}/`) ? [] : [`its name ${manifest.name} is not of ${scope}`]),
    ...(manifest.repository?.url ? [] : ['it does not say where it comes from']),
    ...(manifest.scripts ? ['it runs scripts'] : []),
    ...ours
      .filter((name) => manifest.dependencies[name] !== manifest.version)
      .map((name) => `it stands on ${name} ${manifest.dependencies[name]}, not ${manifest.version}`),
  ];
}
