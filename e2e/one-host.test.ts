import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settingWarnings } from '../packages/server/src/settings/warnings.ts';
import { readConfig } from '../packages/server/src/settings/read-config.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { svc } from '../testing/clients/svc.ts';
import { newDatabase, sharedPostgres } from '../testing/database/postgres.ts';
import { startIssuer } from '../testing/issuer/standalone-issuer.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { startTlsNginx } from '../testing/machine/nginx.ts';
import { read, root as ROOT } from '../testing/repository.ts';
import { startService } from '../testing/system/service-process.ts';

// docs/operating/one-host.md on stand-ins of this machine: its files, a real PostgreSQL, chain, issuer, and nginx with its own authority.
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const lines = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value]) => value!);

const MINIMAL = Object.fromEntries(
  [...read('deploy/minimal.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
);

/** A certificate for localhost and the authority that signed it. */
function makeCertificate(folder: string): { certificate: string; key: string; authority: string } {
  const [authority, authorityKey] = [join(folder, 'authority.pem'), join(folder, 'authority.key')];
  const [certificate, key, request] = ['site.pem', 'site.key', 'site.csr'].map((name) => join(folder, name));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const fresh = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(...fresh, '-x509', '-subj', '/CN=authority', '-keyout', authorityKey, '-out', authority);
  openssl(...fresh, '-subj', '/CN=localhost', '-keyout', key!, '-out', request!);
  const names = join(folder, 'names');
  writeFileSync(names, 'subjectAltName=DNS:localhost');
  openssl(
    ...['x509', '-req', '-in', request!, '-CA', authority, '-CAkey', authorityKey, '-CAcreateserial'],
    ...['-extfile', names, '-out', certificate!],
  );
  return { certificate: certificate!, key: key!, authority };
}

/** The status of an https page of the service behind nginx. */
const statusOf = (url: string, authority: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = get(url, { ca: readFileSync(authority), agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.once('error', reject);
  });

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

test('the page leads to an https service that etches, is backed up and is checked', async () => {
  const [chain, issuer, postgres] = [await startChain(), await startIssuer(), await sharedPostgres()];
  closing.push(
    () => chain.stop(),
    () => issuer.stop(),
  );
  const relayer = await chain.newRelayer();
  const folder = newFolder('host');
  const site = makeCertificate(folder);
  const [port, plainPort, behind] = [await lastingPort(), await lastingPort(), await lastingPort()];
  const url = `https://localhost:${port}`;
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const settings: Record<string, string> = {
    ...MINIMAL,
    PORT: String(behind),
    BASE_URL: url,
    DATA_DIR: join(folder, 'data'),
    LEDGER_DIR: join(folder, 'ledgers'),
    DATABASE_URL: await newDatabase(postgres),
    SECRET_KEYS_FILE: file('secret-keys', 'ab'.repeat(32)),
    CHAIN_ID: String(chain.chainId),
    CHAIN_RPC_URL: chain.rpcUrl,
    ATTESTATION_CONTRACT: chain.contract,
    SCHEMA_UID: chain.schemaUid,
    RELAYER_PRIVATE_KEY_FILE: file('relayer-key', relayer.key),
    IDENTITY_ISSUER: issuer.url,
    ANCHOR_INTERVAL_SECONDS: '1',
    ANCHOR_CONFIRMATIONS: '1',
  };
  mkdirSync(settings['LEDGER_DIR']!);
  const service = await startService(settings);
  closing.push(() => service.stop());
  const nginx = await startTlsNginx({ port, plainPort, behind }, site);
  closing.push(() => nginx.stop());

  expect(await statusOf(`${url}/readyz`, site.authority)).toBe(200);
  expect(await statusOf(`${url}/metrics`, site.authority)).toBe(403);
  const plain = await fetch(nginx.url, { redirect: 'manual' });
  expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://127.0.0.1/']);

  const home = newFolder('home');
  const run = (...args: string[]) =>
    svc(args, { home, env: { SVC_BASE_URL: url, NODE_EXTRA_CA_CERTS: site.authority } });
  const registered = await run('register');
  expect(registered, registered.err).toMatchObject({ status: 0 });
  const about = ['--description', 'A first etch', '--topic', 'tech'];
  const etched = await run('etch', 'We are up.', ...about, '--wait', '--json');
  expect(etched, etched.err).toMatchObject({ status: 0 });
  const { etch } = JSON.parse(etched.out) as { etch: { id: string } };
  const verified = await run('verify', etch.id, '--rpc', chain.rpcUrl, '--json');
  expect([0, 2], verified.err).toContain(verified.status);

  // The units' commands, as systemd runs them.
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const env = { PATH: process.env['PATH']!, HOME: home, ...settings, BACKUPS: backups };
  for (const unit of ['commitment-backup', 'commitment-audit']) {
    const text = read(`deploy/systemd/${unit}.service`);
    for (const command of [...lines(text, 'ExecStart'), ...lines(text, 'ExecStartPost')]) {
      const shell = command.replaceAll('%%', '%').replaceAll('/usr/bin/node', process.execPath);
      const ran = spawnSync('/bin/sh', ['-c', shell], { cwd: ROOT, env, encoding: 'utf8' });
      expect(ran.status, `${command}\n${ran.stdout}${ran.stderr}`).toBe(0);
    }
  }
  const [backup, ...more] = readdirSync(backups);
  expect(more).toEqual([]);
  expect(readdirSync(join(backups, backup!)).length).toBeGreaterThan(0);
});
