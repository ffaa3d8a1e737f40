import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settingWarnings } from '../packages/server/src/settings/warnings.ts';
import { readConfig } from '../packages/server/src/settings/read-config.ts';
import { ensureProgram } from '../scripts/prerequisites/programs.mjs';
import { startChain } from '../testing/chain/anvil.ts';
import { startPostgres } from '../testing/database/postgres.ts';
import { startIssuer } from '../testing/issuer/standalone-issuer.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { runProgram } from '../testing/machine/program.ts';
import { readUnit } from '../testing/machine/unit.ts';
import { startTlsNginx } from '../testing/machine/nginx.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { read, root as ROOT } from '../testing/repository.ts';
import { eventually } from '../testing/wait.ts';

// docs/operating/one-host.md on stand-ins: its files, a real PostgreSQL, chain, issuer, and nginx with its own
// authority.
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const lines = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value]) => value!);

const MINIMAL = Object.fromEntries(
  [...read('deploy/minimal.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
);

function makeCertificate(
  folder: string,
  name: string,
): { certificate: string; key: string; authority: string } {
  const [authority, authorityKey] = [join(folder, 'authority.pem'), join(folder, 'authority.key')];
  const [certificate, key, request] = ['site.pem', 'site.key', 'site.csr'].map((name) => join(folder, name));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const fresh = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(...fresh, '-x509', '-subj', '/CN=authority', '-keyout', authorityKey, '-out', authority);
  openssl(...fresh, '-subj', `/CN=${name}`, '-keyout', key!, '-out', request!);
  const names = join(folder, 'names');
  writeFileSync(names, `subjectAltName=DNS:${name}`);
  openssl(
    'x509',
    '-req',
    '-in',
    request!,
    '-CA',
    authority,
    '-CAkey',
    authorityKey,
    '-CAcreateserial',
    '-extfile',
    names,
    '-out',
    certificate!,
  );
  return { certificate: certificate!, key: key!, authority };
}

test('the minimal settings are 16, valid in production, and give no warning', () => {
  expect(Object.keys(MINIMAL)).toHaveLength(16);
  const folder = newFolder('keys');
  const environment = { ...MINIMAL };
  for (const [name, text] of [
    ['SECRET_KEYS_FILE', 'ab'.repeat(32)],
    ['RELAYER_PRIVATE_KEY_FILE', `0x${'cd'.repeat(32)}`],
  ] as const) {
    environment[name] = join(folder, name);
    writeFileSync(environment[name], text);
  }
  expect(settingWarnings(environment, readConfig(environment))).toEqual([]);
});

test('the units run the programs of the clone as one user, and systemd accepts them', () => {
  const units = readdirSync(join(ROOT, 'deploy/systemd'));
  for (const unit of units.filter((name) => name.endsWith('.service'))) {
    const text = read(`deploy/systemd/${unit}`);
    expect(lines(text, 'User'), unit).toEqual(['svc']);
    expect(lines(text, 'EnvironmentFile'), unit).toEqual(['/etc/commitment-service/env']);
    for (const [, program] of text.matchAll(/node (packages\S+\.mjs)/g))
      expect(existsSync(join(ROOT, program!)), program).toBe(true);
  }
  for (const timer of units.filter((name) => name.endsWith('.timer')))
    expect(units).toContain(timer.replace('.timer', '.service'));
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    cwd: join(ROOT, 'deploy/systemd'),
    encoding: 'utf8',
  });
  // The unit's own user and folders exist only on the host.
  const complaints = (verified.stderr ?? '')
    .split('\n')
    .filter((line) => /Unknown|Failed to parse/.test(line));
  expect(complaints).toEqual([]);
});

const BLOCKS = [...read('docs/operating/one-host.md').matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(
  ([, text]) => text!.replaceAll(/^ +/gm, '').trim(),
);
const block = (start: string): string => BLOCKS.find((text) => text.startsWith(start))!;

/**
 * An empty machine has only loopback as a network, and separate folders for settings, state and programs. The page
 * gives ports, paths and users.
 */
const MACHINE = [
  'set -e',
  'ip link set lo up',
  'cp -a /etc "$1/etc"',
  'echo "127.0.0.1 localhost etches.example.org" > "$1/etc/hosts"',
  'mkdir "$1/state" "$1/opt" "$1/opt/commitment-service"',
  'mount --bind "$1/etc" /etc',
  'mount --bind "$1/state" /var/lib',
  'mount --bind "$1/opt" /opt',
  'mount --bind "$2" /opt/commitment-service',
  'shift 2',
  'exec "$@"',
].join('\n');
const ISOLATED = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
const IN_MACHINE = process.env['EMPTY_MACHINE'] === '1';

// Namespaces and users need root, and a container may forbid them.
if (AT_FULL_COUNT)
  test.skipIf(
    IN_MACHINE || process.getuid?.() !== 0 || spawnSync('unshare', [...ISOLATED, 'true']).status !== 0,
  )(
    'from an empty machine, the page leads to an https service that etches, is backed up and is all green',
    async () => {
      await ensureProgram('nginx'); // while there is a network
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
      const walk = [vitest, 'run', '--project', 'e2e', 'e2e/one-host.test.ts', '-t', 'walks the page'];
      const inMachine = ['sh', '-c', MACHINE, 'sh', newFolder('machine', '/tmp'), ROOT];
      const { out, err } = await runProgram(
        'unshare',
        [...ISOLATED, ...inMachine, process.execPath, ...walk],
        { cwd: ROOT, env: { ...process.env, EMPTY_MACHINE: '1' } },
      );
      expect(out, out + err).toMatch(/Tests .*1 passed/);
    },
  );

if (AT_FULL_COUNT)
  test.runIf(IN_MACHINE)('walks the page', async () => {
    const AT = '/opt/commitment-service';
    const host = 'etches.example.org';
    const url = `https://${host}`;
    const folder = newFolder('host');
    const site = makeCertificate(folder, host);
    const env: Record<string, string> = {
      PATH: process.env['PATH']!,
      HOME: folder,
      PGHOST: '127.0.0.1',
      CURL_CA_BUNDLE: site.authority,
      NODE_EXTRA_CA_CERTS: site.authority,
      npm_config_cafile: site.authority,
    };
    const run = (script: string, input = ''): string => {
      const ran = spawnSync('/bin/sh', ['-e', '-c', script], { cwd: AT, env, input, encoding: 'utf8' });
      expect(ran.status, `${script}\n${ran.stdout}${ran.stderr}`).toBe(0);
      return ran.stdout;
    };
    const only = (start: string, line: RegExp): string =>
      block(start)
        .split('\n')
        .filter((one) => line.test(one))
        .join('\n');

    // Steps 1 to 4. The packages and the clone are there already.
    const postgres = await startPostgres({ port: 5432 });
    const chain = await startChain();
    const issuer = await startIssuer();
    closing.push(
      () => postgres.stop(),
      () => chain.stop(),
      () => issuer.stop(),
    );
    await issuer.signIn({ redirectUris: [`${url}/sign-in/callback`] });
    run(only('useradd', /^useradd/));
    run(block('install -d'));
    run(block('su postgres'), 'password\npassword\n');

    // Step 5. Chain and issuer are stand-ins.
    run(only('install -m', /^install/));
    const file = '/etc/commitment-service/env';
    const changed: Record<string, string> = {
      CHAIN_ID: String(chain.chainId),
      CHAIN_RPC_URL: chain.rpcUrl,
      ATTESTATION_CONTRACT: chain.contract,
      SCHEMA_UID: chain.schemaUid,
      IDENTITY_ISSUER: issuer.url,
      NODE_EXTRA_CA_CERTS: site.authority,
      ANCHOR_INTERVAL_SECONDS: '1',
      ANCHOR_CONFIRMATIONS: '1',
    };
    const settings = { ...MINIMAL, ...changed };
    writeFileSync(
      file,
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    chmodSync(folder, 0o755);

    // Step 6.
    const [admin, ...chainCommands] = block('admin()').split('\n');
    const asAdmin = (command: string) => run(`${admin}\n${command}`);
    expect(chainCommands).toEqual(['admin chain relayer', 'admin chain register-schema']);
    const [relayer] = /0x[0-9a-fA-F]{40}/.exec(asAdmin(chainCommands[0]!))!;
    await chain.rpc('anvil_setBalance', relayer, `0x${(10n ** 19n).toString(16)}`);
    expect(asAdmin(chainCommands[1]!)).toContain(chain.schemaUid);

    // Step 7. systemd does not run here: the test uses its user, folders, settings and commands.
    run(only('cp deploy/systemd', /^cp/));
    const commandsOf = (unit: string): (() => ChildProcess)[] => {
      const { user, states, environment, commands } = readUnit(
        readFileSync(`/etc/systemd/system/${unit}.service`, 'utf8'),
      );
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(run(`id ${flag} ${user}`)));
      for (const name of states) run(`install -d -o ${user} -g ${user} -m 700 /var/lib/${name}`);
      return commands.map(
        (command) => () =>
          spawn('/bin/sh', ['-c', command.replaceAll('/usr/bin/node', process.execPath)], {
            uid: uid!,
            gid: gid!,
            env: { PATH: env['PATH'], ...settings, ...environment },
            stdio: ['ignore', 'inherit', 'inherit'],
          }),
      );
    };
    const units = /enable --now (.+)$/m.exec(block('cp deploy/systemd'))![1]!.split(' ');
    expect(units).toEqual(['commitment-service', 'commitment-backup.timer', 'commitment-audit.timer']);
    const service = commandsOf(units[0]!)[0]!();
    closing.push(async () => {
      service.kill();
      await once(service, 'exit');
    });

    // Step 8.
    const nginx = await startTlsNginx({ port: 443, plainPort: 80, behind: 3000 }, site);
    closing.push(() => nginx.stop());

    // Step 9.
    const check = block('curl').split('\n');
    await eventually(
      'the service is ready',
      () => run(`curl -s -o /dev/null -w %{http_code} ${url}/readyz`) === '200',
    );
    const elsewhere = newFolder('another-machine');
    for (const line of check) run(`cd ${elsewhere} && ${line}`);
    expect(check.at(-1)).toContain('svc etch');
    expect(run(`curl -s -o /dev/null -w %{http_code} ${url}/metrics`)).toBe('403');
    expect(run(`curl -s -o /dev/null -w '%{http_code} %{redirect_url}' http://${host}/`)).toBe(`301 ${url}/`);

    // Step 10. The timers start the services of their names.
    const [pin, , doctor] = block('su svc -s').split('\n');
    run(`cd /opt/commitment-service && ${pin}`);
    for (const timer of units.slice(1))
      for (const begin of commandsOf(timer.replace('.timer', ''))) {
        const [status] = (await once(begin(), 'exit')) as [number | null];
        expect(status, timer).toBe(0);
      }
    const [backup] = readdirSync('/var/lib/commitment-service/backups');
    expect(statSync(`/var/lib/commitment-service/backups/${backup}`)).toMatchObject({
      uid: Number(run('id -u svc')),
    });
    const username = run(`cd ${elsewhere} && node_modules/.bin/svc whoami --field user.username`);
    expect(run(`curl -s ${url}/embed/u/${username}`)).toContain('Complete as audited by the operator on');
    const found = asAdmin(doctor!).trimEnd().split('\n');
    expect(
      found.filter((line) => !/^(ok {3}|\S+ +disk )/.test(line)),
      found.join('\n'),
    ).toEqual([]);
    expect(found).toHaveLength(
      read('packages/server/src/admin/doctor/doctor.ts').split(' bounded(').length - 1,
    );
  });
