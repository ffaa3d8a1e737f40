import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { registryName } from '../scripts/registry-entry.mjs';
import { ends } from '../testing/clients/ends.ts';
import type { Json } from '../testing/json.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { copyOfSources, PUBLISHED, release, runAlone, SCOPE } from '../testing/machine/packed.ts';
import { read, root, shellBlocks } from '../testing/repository.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';

const { version } = JSON.parse(read('package.json')) as { version: string };
/** Building the Debian packages takes a minute. */
const DEBIAN = AT_FULL_COUNT ? [] : ['--no-debian'];
let out: string;
let publicKey: string;

beforeAll(async () => {
  const key = join(newFolder('key'), 'release-key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
  ({ out } = await release(['--key', key, ...DEBIAN]));
});

const text = (name: string) => readFileSync(join(out, name), 'utf8');
const json = (name: string): Json => JSON.parse(text(name));

/** Runs the lines of the page in a folder. */
function verify(folder: string, key = publicKey) {
  const page = shellBlocks('deploy/README.md').find((block) => block.text.startsWith('echo "release '))!;
  const lines = page.text.replace('ssh-ed25519 AAAA…', key);
  return runAlone({ folder }, 'sh', ['-e', '-c', lines]);
}

test('the sums name every file of the release, and the lines of the page verify it', async () => {
  const named = text('SHA256SUMS')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  ')[1]!);
  const apart = ['SHA256SUMS', 'SHA256SUMS.sig', 'staged'];
  expect([...named, ...apart].sort()).toEqual(readdirSync(out).sort());
  expect(named).toEqual(
    expect.arrayContaining(['svc.mjs', 'sbom.cdx.json', 'changes.txt', 'provenance.json']),
  );
  expect(named.filter((name) => name.endsWith('.tgz'))).toHaveLength(PUBLISHED.length);
  expect(named.filter((name) => name.endsWith('.deb'))).toHaveLength(AT_FULL_COUNT ? 2 : 0);
  const verified = await ends(verify(out), 0, { out: 'Good "svc-release" signature for release' });
  for (const name of named) expect(verified.out).toContain(`${name}: OK`);
});

test('a changed file, changed sums and a different key fail', async () => {
  const copy = () => {
    const folder = newFolder('changed');
    cpSync(out, folder, { recursive: true });
    return folder;
  };
  const changedFile = copy();
  appendFileSync(join(changedFile, 'svc.mjs'), '\n');
  await ends(verify(changedFile), 1, { out: 'svc.mjs: FAILED' });
  const changedSums = copy();
  appendFileSync(join(changedSums, 'SHA256SUMS'), '\n');
  await ends(verify(changedSums), 255, { out: 'Could not verify signature' });
  const other = join(newFolder('key'), 'other');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
  await ends(verify(copy(), readFileSync(`${other}.pub`, 'utf8').trim()), 255);
});

test('the SBOM lists the published packages and their dependencies, and the provenance every built file', () => {
  const { bomFormat, specVersion, serialNumber, components, dependencies } = json('sbom.cdx.json');
  expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.6' });
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const names = components.map(({ name }: Json) => name);
  const needed = PUBLISHED.flatMap((name) =>
    Object.keys(JSON.parse(read(`packages/${name}/package.json`)).dependencies ?? {}),
  ).map((name) => name.replace('@svc/', `${SCOPE}/`));
  expect(names).toEqual(expect.arrayContaining([...needed, ...PUBLISHED.map((name) => `${SCOPE}/${name}`)]));
  expect(names.filter((name: string) => ['fastify', 'vitest', `${SCOPE}/server`].includes(name))).toEqual([]);
  const refs = new Set(components.map((component: Json) => component['bom-ref']));
  for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);

  const { subject } = json('provenance.json');
  const sums = subject.map(({ name, digest }: Json) => `${digest.sha256}  ${name}\n`).join('');
  expect(text('SHA256SUMS')).toContain(sums);
  expect(subject).toHaveLength(PUBLISHED.length + (AT_FULL_COUNT ? 6 : 4));
});

test('the entry for the registry of MCP servers names its publisher, as the package does', () => {
  const name = 'example.code/svc-mcp';
  const identifier = `${SCOPE}/mcp`;
  expect(json('server.json')).toMatchObject({ name, version, packages: [{ identifier, version }] });
  expect(json('staged/mcp/package.json')).toMatchObject({ name: identifier, version, mcpName: name });
  expect(registryName('https://github.com/ada/etch')).toBe('io.github.ada/svc-mcp');
  expect(registryName('https://gitlab.com/ada/etch')).toBe('io.gitlab.ada/svc-mcp');
});

test('svc.mjs of the release runs alone, and changes.txt is the section of the version', async () => {
  const svc = runAlone({ folder: out }, process.execPath, ['svc.mjs', '--version']);
  await ends(svc, 0, { out: `${version}\n` });
  expect(read('CHANGELOG.md')).toContain(`${version}\n\n${text('changes.txt')}`);
});

test('the workflow makes the release by the same command, with provenance and without the key', () => {
  const workflow = read('.github/workflows/release.yml');
  const { jobs, permissions }: Json = parse(workflow);
  const steps: Json[] = jobs.release.steps;
  const ours = steps.flatMap(({ run }) => /^npm run release -- (.*)/.exec(run ?? '')?.[1] ?? []);
  expect(ours).toEqual(['--scope "$SCOPE" --repository "$REPOSITORY" --signatures']);
  expect(permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
  const attested = steps.find(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))!;
  expect(attested.with).toEqual({ 'subject-checksums': 'release/SHA256SUMS' });
  const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))!.with['node-version'];
  expect(read('Dockerfile')).toContain(`ARG NODE=node:${node}-`);
  expect(workflow).not.toMatch(/secrets\./);
});

if (AT_FULL_COUNT)
  test('two folders give the same bytes', async () => {
    const folder = copyOfSources();
    const modules = [
      'node_modules',
      ...['timestamp', 'web', 'protocol'].map((name) => `packages/${name}/node_modules`),
    ];
    for (const path of modules.filter((one) =>
      readdirSync(dirname(join(root, one))).includes('node_modules'),
    )) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      execFileSync('cp', ['-a', join(root, path), join(folder, path)]);
    }
    writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
    const other = await release([], folder);
    expect(readFileSync(join(other.out, 'SHA256SUMS'), 'utf8')).toBe(text('SHA256SUMS'));
  });
