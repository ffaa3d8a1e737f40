// Publish the tarballs with `npm publish <tarball>`, in the order listed.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { createHash } = await import('node:crypto');
const { mkdir, readFile, rm, writeFile } = await import('node:fs/promises');
const { basename, join, resolve } = await import('node:path');
const { readArguments } = await import('../packages/server/bin/arguments.mjs');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { ROOT, SetupError, orExplain, run, say } = await import('./prerequisites/run.mjs');
const { faultsOf } = await import('./release/check.mjs');
const { provenance } = await import('./release/provenance.mjs');
const { PUBLISHED, stage } = await import('./release/stage.mjs');

const { values: options } = readArguments(
  `usage: npm run release -- --scope @yours --repository https://...

Builds and packs everything that is published into a folder. It publishes nothing.

  --scope        the scope that you hold at the registry
  --repository   the https URL that the source is read at
  --out          the folder; default: release
  --dirty        pack changes that are not committed, too
  --signatures   check the registry's signatures of what is installed`,
  {
    options: {
      scope: { type: 'string' },
      repository: { type: 'string' },
      out: { type: 'string', default: join(ROOT, 'release') },
      dirty: { type: 'boolean', default: false },
      signatures: { type: 'boolean', default: false },
    },
  },
);

await orExplain(async () => {
  const { scope, repository } = options;
  if (!/^@[a-z0-9][a-z0-9._-]*$/.test(scope ?? ''))
    throw new SetupError('--scope: the scope that you hold at the registry, as @yours');
  if (!/^https:\/\/\S+$/.test(repository ?? ''))
    throw new SetupError('--repository: the https url that the source is read at');
  const commit = await said('git', ['rev-parse', 'HEAD']);
  if (!options.dirty && (await said('git', ['status', '--porcelain'])) !== '')
    throw new SetupError('something is not committed: what is published must be what others can build');
  await prepare();
  // Checked before the build includes a tampered dependency.
  if (options.signatures) await said('npm', ['audit', 'signatures']);

  const out = resolve(options.out);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const tarballs = [];
  for (const name of PUBLISHED) {
    const folder = await stage(name, { out, scope, repository });
    const [packed] = JSON.parse(
      await said('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], folder),
    );
    const faults = await faultsOf(folder, packed, { scope });
    if (faults.length > 0) throw new SetupError(faults.map((fault) => `${packed.name}: ${fault}`).join('\n'));
    const file = join(out, basename(packed.filename));
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    tarballs.push({ name: basename(file), sha256, folder, of: packed.name, bytes: packed.size });
  }
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const facts = { repository, commit, scope, version, node: process.version };
  const text = JSON.stringify(provenance(tarballs, facts), null, 2);
  await writeFile(join(out, 'provenance.json'), `${text}\n`);
  await writeFile(
    join(out, 'SHA256SUMS'),
    tarballs.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''),
  );
  for (const { of, bytes, name } of tarballs) say(`${of} ${version}  ${bytes} bytes  ${name}`);
  console.log(
    JSON.stringify(tarballs.map(({ of, name, folder }) => ({ name: of, tarball: join(out, name), folder }))),
  );
});

async function said(program, args, cwd = ROOT) {
  const { status, stdout, stderr } = await run(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  if (status !== 0) throw new SetupError(`${program} ${args.join(' ')} failed\n${stdout}${stderr}`);
  return stdout.trim();
}
