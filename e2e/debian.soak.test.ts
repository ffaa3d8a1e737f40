// Installs, upgrades and removes the packages of a release on a machine where systemd does not run.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../testing/machine/folder.ts';
import { type Machine, missingForMachine, startMachine } from '../testing/machine/installed-machine.ts';
import { release } from '../testing/machine/packed.ts';
import { readUnit } from '../testing/machine/unit.ts';
import { read, shellBlocks } from '../testing/repository.ts';

const missing = missingForMachine();
const needs = missing === undefined ? '' : ` (skipped: needs ${missing})`;
const hasLintian = spawnSync('lintian', ['--version']).status === 0;
const HOME = '/var/lib/commitment-service';

/** Becomes /mnt of the machine: the packages, older ones, and the data of an older version. */
const files = newFolder('debian');
let machine: Machine | undefined;

beforeAll(async () => {
  const { out } = await release([]);
  mkdirSync(join(files, 'older'));
  for (const name of readdirSync(out).filter((file) => file.endsWith('.deb'))) {
    execFileSync('cp', [join(out, name), files]);
    const unpacked = newFolder('unpacked');
    execFileSync('dpkg-deb', ['--raw-extract', join(out, name), unpacked]);
    const control = join(unpacked, 'DEBIAN/control');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    writeFileSync(control, readFileSync(control, 'utf8').replaceAll(`${version}-1`, '0.9.0-1'));
    const older = ['--root-owner-group', '-Zgzip', '-z1', '--build', unpacked, join(files, 'older')];
    execFileSync('dpkg-deb', older);
  }
  const packed = readFileSync(join(import.meta.dirname, 'fixtures/older-service.tar.br'));
  execFileSync('tar', ['-C', files, '-x'], { input: brotliDecompressSync(packed) });
  if (missing === undefined) machine = await startMachine(files);
}, 1_800_000);

afterAll(() => machine?.stop());

async function run(script: string): Promise<string> {
  const { status, out, err } = await machine!.run(script);
  expect(status, `${script}\n${out}${err}`).toBe(0);
  return out.trim();
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Does what systemd does for the unit: folders, user, settings, command. */
async function startService(url = 'http://127.0.0.1:3000') {
  const unit = readUnit(await run('cat /usr/lib/systemd/system/commitment-service.service'));
  const { user, states, environment, commands } = unit;
  for (const name of states) await run(`install -d -o ${user} -g ${user} -m 700 /var/lib/${name}`);
  const settings = (await run('cat /etc/commitment-service/env'))
    .split('\n')
    .filter((line) => !/^(?:#|$)/.test(line));
  const variables = [...settings, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  const as = `setpriv --reuid ${user} --regid ${user} --init-groups env -i PATH=/usr/bin:/bin HOME=${HOME}`;
  return machine!.start(
    `exec ${as} ${variables.map(quoted).join(' ')} sh -c ${quoted(commands[0]!)}`,
    async () => (await machine!.run(`curl -sf ${url}/readyz`)).status === 0,
  );
}

/** Runs the commands of docs/operating/uninstall.md, as their page orders them. */
async function endService(id: string, url: string) {
  const [save, publish, , check] = shellBlocks('docs/operating/uninstall.md').map(({ text }) => text.trim());
  const reader = `cd /tmp/upgraded; export HOME=/tmp/upgraded SVC_BASE_URL=${url};`;
  const username = await run(`${reader} svc whoami --field user.username`);
  const saved = await machine!.run(`${reader} ${save!.replace('ada', username)}`);
  expect(saved, saved.err).toMatchObject({
    status: 2,
    out: expect.stringContaining('every etch of the log') as string,
  });
  const [archive, pins] = publish!.split('\n');
  await run(`${reader} ${pins!.replace('https://etches.example.org', url)}`);
  const checkArchive = async () => {
    const commands = check!.replace('<id>', id).replace('https://a.node.of.the.chain', `${url}/rpc`);
    expect(await run(`${reader} ${commands}`)).toContain('PASS: the receipt holds.');
  };
  // The embedded database is exported while the service is stopped.
  const exportArchive = () => run(`cd ${HOME}; ${archive}; mv public.tar.gz /tmp/upgraded`);
  return { exportArchive, checkArchive };
}

/** Etches by the packaged `svc`, as a user who has nothing yet. */
async function etchAndVerify(name: string, url = 'http://127.0.0.1:3000') {
  const svc = async (args: string) =>
    run(
      `install -d -o nobody /tmp/${name}; cd /tmp/${name}; exec setpriv --reuid nobody --clear-groups ` +
        `env HOME=/tmp/${name} SVC_BASE_URL=${url} svc ${args}`,
    );
  await svc('register');
  await svc(`trust ${url}`);
  const id = await svc(`etch "From ${name}." --description "An etch" --topic tech --wait --field etch.id`);
  await svc(`receipt ${id} --out receipt.json`);
  expect(await svc('verify receipt.json')).toContain('PASS: the receipt holds.');
  return id;
}

test.skipIf(!hasLintian)(
  `lintian finds nothing${hasLintian ? '' : ' (skipped: needs lintian)'}`,
  async () => {
    const packages = readdirSync(files).filter((name) => name.endsWith('.deb'));
    const { stdout, status } = spawnSync(
      'lintian',
      ['--allow-root', '--fail-on', 'error,warning', ...packages],
      {
        cwd: files,
        encoding: 'utf8',
      },
    );
    expect([status, stdout]).toEqual([0, '']);
  },
);

test.skipIf(missing)(`installs, etches, upgrades older data, removes and purges${needs}`, async () => {
  // Without an index of manual pages at each installation.
  await run('rm -f /var/lib/man-db/auto-update');
  await run(`dpkg --purge commitment-service svc-cli; rm -rf ${HOME} /etc/commitment-service`);
  await run('dpkg --install /mnt/older/*.deb');
  expect(await run('stat -c "%U:%G %a" /etc/commitment-service /etc/commitment-service/env')).toBe(
    'root:svc 750\nroot:svc 640',
  );
  expect(await run(`stat -c "%U:%G %a" ${HOME}`)).toBe('svc:svc 700');
  await run('man --where 1 svc && man --where 8 svc-admin');
  expect(await run('bash -ic ". /usr/share/bash-completion/completions/svc; complete -p svc"')).toContain(
    ' svc',
  );
  await run(
    'cd /usr/lib/systemd/system && systemd-analyze verify --man=no commitment-*.service commitment-*.timer',
  );
  const first = await startService();
  await etchAndVerify('fresh');
  await first.stop();
  expect(await run('cd /root && svc-admin fsck')).toContain('Everything fits.');
  const ordinary = await machine!.run('exec setpriv --reuid nobody --clear-groups svc-admin fsck');
  expect(ordinary).toMatchObject({ status: 77, err: expect.stringContaining('Run it as root') as string });

  const { base, receipts } = JSON.parse(readFileSync(join(files, 'issued.json'), 'utf8')) as {
    base: string;
    receipts: Record<string, { etch_id: string }>;
  };
  await run(`rm -r ${HOME}/data && cp -r /mnt/data ${HOME}/data && chown -R svc:svc ${HOME}/data`);
  // Receipts contain the address of the service.
  const setAddress = `sed -i 's|^BASE_URL=.*|BASE_URL=${base}\\nPORT=${new URL(base).port}|' /etc/commitment-service/env`;
  await run(setAddress);
  const upgraded = await run('dpkg --install /mnt/*.deb');
  expect(upgraded).not.toContain('conffile');
  const read = async (id: string) =>
    JSON.parse(await run(`curl -sf ${base}/api/v1/etches/${id}/receipt`)) as object;
  const issued = Object.values(receipts);
  const served = async () => Promise.all(issued.map(({ etch_id: id }) => read(id)));
  const second = await startService(base);
  expect(await served()).toEqual(issued);
  const id = await etchAndVerify('upgraded', base);
  const { exportArchive, checkArchive } = await endService(id, base);
  await second.stop();
  await exportArchive();

  await run('dpkg --remove commitment-service svc-cli');
  await run('! command -v svc && ! command -v svc-admin && ! ls /usr/lib/commitment-service');
  await run(`test -e ${HOME}/data/database && grep ^BASE_URL=${base} /etc/commitment-service/env`);
  await run('echo 0x1 > /etc/commitment-service/relayer-key');
  expect(await run('dpkg --purge commitment-service svc-cli')).toContain(`data in ${HOME} and keys`);
  await run(`test -e ${HOME}/data/database && ! test -e /etc/commitment-service/env`);
  await run('test -e /etc/commitment-service/relayer-key');

  await run('dpkg --install /mnt/*.deb');
  await run(setAddress);
  const third = await startService(base);
  expect([await served(), await read(id)]).toEqual([issued, expect.objectContaining({ etch_id: id })]);
  await checkArchive();
  await third.stop();
  await run(`touch ${HOME}/delete-on-purge && dpkg --purge commitment-service svc-cli`);
  await run(`! test -e ${HOME} && ! test -e /etc/commitment-service`);
  expect(existsSync('/usr/lib/commitment-service')).toBe(false);
});
