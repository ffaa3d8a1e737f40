import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingWarnings } from '../packages/server/src/settings/warnings.ts';
import { readConfig } from '../packages/server/src/settings/read-config.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { newDatabase, sharedPostgres } from '../testing/database/postgres.ts';
import { startIssuer } from '../testing/issuer/standalone-issuer.ts';
import { startCaddy } from '../testing/machine/caddy.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { runAlone } from '../testing/machine/packed.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { read, root as ROOT } from '../testing/repository.ts';
import { startService } from '../testing/system/service-process.ts';
import { ends } from '../testing/clients/ends.ts';

// docs/operating/demo.md on stand-ins: PostgreSQL, anvil as the testnet, an issuer, Caddy with its own authority.
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const BLOCKS = [...read('docs/operating/demo.md').matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(
  ([, block]) => block!.replaceAll(/^ +/gm, '').trim(),
);
const block = (start: string): string => BLOCKS.find((one) => one.startsWith(start))!;
const ADMIN = /^docker compose (?:run --rm|exec) service (svc-admin .+)$/m;

function dotEnv(): Record<string, string> {
  const folder = newFolder('demo');
  mkdirSync(join(folder, 'deploy/demo'), { recursive: true });
  copyFileSync(join(ROOT, 'deploy/demo/demo.env'), join(folder, 'deploy/demo/demo.env'));
  const ran = spawnSync('sh', ['-ec', block('cp deploy/demo/demo.env')], { cwd: folder, encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  return parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>;
}

test('the settings are complete in production, and give no warning', () => {
  const { COMPOSE_FILE, COMPOSE_PROFILES, POSTGRES_PASSWORD, ...settings } = dotEnv();
  expect(POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
  const environment = { ...settings, DATABASE_URL: `postgres://svc:${POSTGRES_PASSWORD}@postgres:5432/svc` };
  expect(settingWarnings(environment, readConfig(environment))).toEqual([]);
  const compose = parse(read('compose.yaml'), { merge: true });
  expect(settings['TRUST_PROXY']).toBe(compose.services.caddy.networks.front.ipv4_address);
  const profiles = Object.values<any>(compose.services).flatMap((one) => one.profiles ?? []);
  for (const profile of COMPOSE_PROFILES!.split(',')) expect(profiles).toContain(profile);
  for (const file of COMPOSE_FILE!.split(':')) {
    const { services } = parse(read(file), { merge: true });
    for (const name of Object.keys(services)) expect(compose.services).toHaveProperty(name);
    for (const { volumes = [] } of Object.values<{ volumes?: string[] }>(services))
      for (const [from] of volumes.map((mount) => mount.split(':')))
        if (from!.startsWith('./deploy')) expect(existsSync(join(ROOT, from!)), from).toBe(true);
  }
});

if (AT_FULL_COUNT)
  test('the page leads to a demo at which a newcomer reaches PASS', async () => {
    const [chain, issuer, postgres] = [await startChain(), await startIssuer(), await sharedPostgres()];
    closing.push(
      () => chain.stop(),
      () => issuer.stop(),
    );
    const [port, plainPort, behind] = [await lastingPort(), await lastingPort(), await lastingPort()];
    const url = `https://localhost:${port}`;
    const folder = newFolder('machine');
    const caddy = await startCaddy(join(ROOT, 'deploy/demo/Caddyfile'), {
      plainPort,
      variables: { BASE_URL: url, UPSTREAM: `127.0.0.1:${behind}`, RULES: join(ROOT, 'deploy/demo') },
    });
    closing.push(() => caddy.stop());
    const { COMPOSE_FILE: _, COMPOSE_PROFILES: __, POSTGRES_PASSWORD: ___, ...written } = dotEnv();
    const settings: Record<string, string> = {
      ...written,
      PORT: String(behind),
      BASE_URL: url,
      TRUST_PROXY: 'loopback',
      DATA_DIR: join(folder, 'data'),
      LEDGER_DIR: join(folder, 'ledgers'),
      DATABASE_URL: await newDatabase(postgres),
      CHAIN_ID: String(chain.chainId),
      CHAIN_RPC_URL: chain.rpcUrl,
      ATTESTATION_CONTRACT: chain.contract,
      SCHEMA_UID: chain.schemaUid,
      IDENTITY_ISSUER: issuer.url,
      ANCHOR_INTERVAL_SECONDS: '1',
      ANCHOR_CONFIRMATIONS: '1',
      NODE_EXTRA_CA_CERTS: caddy.authority,
    };
    mkdirSync(settings['LEDGER_DIR']!);
    mkdirSync(settings['DATA_DIR']!);
    for (const file of ['notice.txt', 'webhooks-off'])
      copyFileSync(join(ROOT, 'deploy/demo', file), join(settings['DATA_DIR']!, file));
    const admin = (start: string): string => {
      const [, command] = ADMIN.exec(block(start))!;
      const ran = spawnSync('sh', ['-c', `./${command!.replace('/backups', folder)}`], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: folder, ...settings },
      });
      expect(ran.stderr + ran.stdout).not.toContain('svc-admin failed');
      return ran.stdout;
    };

    // Steps 3 and 4.
    const [relayer] = /0x[0-9a-fA-F]{40}/.exec(admin('docker compose run'))!;
    await chain.rpc('anvil_setBalance', relayer, `0x${(10n ** 18n).toString(16)}`);
    const service = await startService(settings);
    closing.push(() => service.stop());

    // Step 6: every page shows the reset date.
    const get = async (path: string): Promise<{ status: number | undefined; body: string }> => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { ca: readFileSync(caddy.authority), agent: false, headers: { accept: 'text/html' } };
        request(url + path, options, resolve)
          .once('error', reject)
          .end();
      });
      return { status: answer.statusCode, body: await text(answer) };
    };
    for (const path of [
      '/',
      '/search',
      '/challenges',
      '/verify',
      '/about',
      '/privacy',
      '/status',
      '/docs',
      '/e/none',
    ]) {
      const { body } = await get(path);
      expect(body, path).toContain('everything here is deleted on 1 March 2027');
      expect(body, path).toContain('<a href="https://demo.example.org/abuse">');
    }
    const rules = await get('/abuse');
    expect(rules).toMatchObject({ status: 200, body: read('deploy/demo/abuse.html') });
    expect((await get('/metrics')).status).toBe(403);

    // Step 5, in an empty folder without a registry.
    const newcomer = newFolder('newcomer');
    await ends(
      runAlone(
        { folder: newcomer },
        'env',
        [
          `NODE_EXTRA_CA_CERTS=${caddy.authority}`,
          `npm_config_cafile=${caddy.authority}`,
          `XDG_CONFIG_HOME=${newcomer}`,
          'sh',
          '-ec',
          block('npm install').replaceAll('https://demo.example.org', url),
        ],
        { registry: 'http://127.0.0.1:9' },
      ),
      0,
      { last: /^PASS: / },
    );

    // Step 7, then the doctor of step 4.
    admin('docker compose exec service svc-admin backup');
    const doctor = admin('docker compose up').trimEnd().split('\n');
    expect(
      doctor.filter((line) => /database|chain|issuer|backup|relayer/.test(line) && !line.startsWith('ok')),
    ).toEqual([]);
  });
