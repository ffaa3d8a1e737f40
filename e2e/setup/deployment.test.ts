import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../packages/server/src/settings/read-config.ts';
import { SETTINGS } from '../../packages/server/src/settings/settings.ts';
import { imageFiles, imageSbom } from '../../scripts/image.mjs';
import { newFolder } from '../../testing/machine/folder.ts';
import type { Json } from '../../testing/json.ts';
import { read, root as ROOT } from '../../testing/repository.ts';

const readYaml = (name: string): Json => parse(read(name), { merge: true, strict: true });
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found!);

describe('compose.yaml', () => {
  const { services, volumes, networks } = readYaml('compose.yaml') as {
    services: Record<string, Json>;
    volumes: Json;
    networks: Json;
  };
  const ours = Object.entries(services).filter(([, { image }]) => image === 'commitment-service');
  const replicas = ours.filter(([name]) => name.startsWith('replica-'));
  const mounts = (service: Json): string[][] =>
    ((service.volumes ?? []) as string[]).map((mount) => rendered(mount, {}).split(':'));

  const rendered = (text: string, dotEnv: Record<string, string>): string => {
    const next = text.replaceAll(/\$\{([A-Z0-9_]+):([-+])([^${}]*)\}/g, (_all, name: string, op, other) =>
      op === '-' ? dotEnv[name] || other : dotEnv[name] ? other : '',
    );
    return next === text ? text : rendered(next, dotEnv);
  };
  const environmentOf = (name: string, dotEnv: Record<string, string>): Record<string, string> => ({
    ...dotEnv,
    ...Object.fromEntries(
      Object.entries<string>(services[name]!.environment).map(([key, value]) => [
        key,
        rendered(value, dotEnv),
      ]),
    ),
  });

  test('runs the service alone, and each profile adds its parts', () => {
    const inProfile = (profile?: string) =>
      Object.keys(services).filter((name) => services[name]!.profiles?.[0] === profile);
    expect(inProfile()).toEqual(['service']);
    expect(inProfile('database')).toEqual(['postgres']);
    expect(inProfile('tls')).toEqual(['caddy']);
    expect(inProfile('backup')).toEqual(['backup']);
    expect(inProfile('beyond')).toEqual([
      'replica-1',
      'replica-2',
      'replica-3',
      'nginx',
      'primary',
      'standby',
      'redis',
    ]);
    for (const [name, service] of Object.entries(services))
      for (const [other, { required }] of Object.entries<Json>(service.depends_on ?? {}))
        if (services[other]!.profiles && services[other]!.profiles[0] !== service.profiles?.[0])
          expect(required, `${name} starts without ${other}`).toBe(false);
    for (const [name, { init }] of ours) expect(init, name).toBe(true);
  });

  test('passes on every setting of .env, as a variable, a port or a volume', () => {
    const PLANTED = 'planted-value';
    for (const [name] of ours)
      for (const setting of Object.keys(SETTINGS)) {
        const dotEnv = { [setting]: PLANTED };
        const { environment: _, ...service } = services[name]!;
        const host = name.startsWith('replica-') ? 'nginx' : 'service';
        const elsewhere = rendered(JSON.stringify([service, services[host]!.ports]), dotEnv);
        expect(
          environmentOf(name, dotEnv)[setting] === PLANTED || elsewhere.includes(PLANTED),
          `${name}: ${setting} of .env is hidden`,
        ).toBe(true);
      }
    expect(rendered(JSON.stringify(services['caddy']!.environment), { BASE_URL: PLANTED })).toContain(
      PLANTED,
    );
  });

  test('mounts existing files and declared volumes, and waits for health checks', () => {
    const named = new Set<string>();
    for (const [name, service] of Object.entries(services)) {
      for (const [from] of mounts(service))
        if (from!.startsWith('.')) expect(existsSync(join(ROOT, from!)), `${name}: ${from}`).toBe(true);
        else named.add(from!);
      for (const network of Object.keys(service.networks ?? {}))
        expect(networks).toHaveProperty(
          Array.isArray(service.networks) ? service.networks[network] : network,
        );
      for (const [other, { condition }] of Object.entries<Json>(service.depends_on ?? {})) {
        expect(condition).toBe('service_healthy');
        const healthy =
          services[other]?.healthcheck ??
          (services[other]?.build && /^HEALTHCHECK /m.test(read('Dockerfile')));
        expect(healthy, `${name} waits for ${other}`).toBeTruthy();
      }
      // Only Caddy is open to other machines by default.
      if (name !== 'caddy')
        for (const port of service.ports ?? [])
          expect(port).toMatch(/^\$\{HOST:-127\.0\.0\.1\}:\$\{PORT:-\d+\}:/);
    }
    expect([...named].sort()).toEqual(Object.keys(volumes).sort());
  });

  test('uses only existing settings', () => {
    const known = new Set(all(read('.env.example'), /^#?([A-Z0-9_]+)=/gm));
    const others = ['POSTGRES_PASSWORD', 'SOURCE_COMMIT'];
    const wanted = all(read('compose.yaml'), /\$\{([A-Z0-9_]+)/g).filter((name) => !others.includes(name));
    expect(wanted.length).toBeGreaterThan(0);
    for (const [, { environment }] of ours) wanted.push(...Object.keys(environment));
    expect(wanted.filter((name) => !known.has(name) || !(name in SETTINGS))).toEqual([]);
  });

  test('pins every image to one version, and limits memory and log size', () => {
    for (const [name, { image, build, mem_limit: memory, logging }] of Object.entries(services)) {
      if (build === undefined) expect(image, name).toMatch(/^[a-z]+:\d+\.\d+(?:\.\d+)?$/);
      expect(memory, name).toMatch(/^\d+[mg]$/);
      expect(logging, name).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
    }
    for (const [name, service] of ours) expect(service.pids_limit, name).toBeGreaterThan(0);
  });

  test('an empty .env starts a trial, and each setting of .env takes effect', () => {
    const configOf = (name: string, dotEnv: Record<string, string>) =>
      readConfig({ NODE_ENV: 'production', ...environmentOf(name, dotEnv) });
    expect(configOf('service', {})).toMatchObject({
      baseUrl: 'http://127.0.0.1:3000',
      host: '0.0.0.0',
      port: 3000,
      identity: { embedded: false },
      secrets: { databaseUrl: undefined },
    });
    expect(configOf('service', { HOST: '10.0.0.1', PORT: '8080' }).baseUrl).toBe('http://10.0.0.1:8080');
    const secret = { POSTGRES_PASSWORD: 'word', SECRET_KEYS: 'ab'.repeat(32) };
    const urlOf = (name: string, dotEnv: Record<string, string>) =>
      configOf(name, { ...secret, ...dotEnv }).secrets.databaseUrl;
    expect(urlOf('service', {})).toBe('postgres://svc:word@postgres:5432/svc');
    expect(urlOf('replica-1', {})).toBe('postgres://svc:word@primary:5432,standby:5432/svc');
    for (const name of ['service', 'backup', 'replica-1'])
      expect(urlOf(name, { DATABASE_URL: 'postgres://elsewhere/svc' })).toBe('postgres://elsewhere/svc');
    expect(environmentOf('backup', secret)).toEqual(environmentOf('service', secret));
    // A password-free sign-in is not allowed at an address that others reach.
    expect(configOf('service', { IDENTITY_EMBEDDED: 'true' }).identity.embedded).toBe(true);
    expect(() =>
      configOf('service', { IDENTITY_EMBEDDED: 'true', BASE_URL: 'https://svc.example.org' }),
    ).toThrow('IDENTITY_ISSUER');
  });

  test('the service behind Caddy trusts only the address of Caddy', () => {
    const { ipv4_address: address } = services['caddy']!.networks.front;
    expect(read('compose.yaml')).toContain(`TRUST_PROXY=${address}`);
    expect(address.startsWith(networks.front.ipam.config[0].subnet.replace(/\d+\/24$/, ''))).toBe(true);
    for (const name of Object.keys(services['caddy']!.environment))
      expect(read('deploy/Caddyfile')).toContain(`{$${name}:`);
  });

  test('a failed backup deletes none of the older ones', () => {
    const [shell, ...script] = services['backup']!.command as string[];
    const folder = newFolder('backups');
    const old = new Date(Date.now() - 40 * 86_400_000);
    const run = (backup: string): string[] => {
      mkdirSync(join(folder, 'old'));
      utimesSync(join(folder, 'old'), old, old);
      const programs = newFolder('programs');
      for (const [name, text] of [
        ['svc-admin', backup],
        ['sleep', 'echo "$1" > "$SLEPT"; kill "$PPID"'],
      ] as const)
        writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      const slept = join(programs, 'slept');
      spawnSync(
        shell!,
        script.map((text) => text.replaceAll('$$', '$').replaceAll('/backups', folder)),
        { env: { PATH: `${programs}:${process.env['PATH']}`, SLEPT: slept } },
      );
      return [readFileSync(slept, 'utf8').trim(), ...readdirSync(folder)];
    };
    expect(run('exit 1')).toEqual(['1h', 'old']);
    rmSync(join(folder, 'old'), { recursive: true });
    expect(run('mkdir "$2"')).toEqual(['1d', expect.stringMatching(/^20\d\d-\d\d-\d\dT\d{6}$/)]);
  });

  test('the service is not a superuser of its databases', () => {
    const role = read('deploy/postgres-role.sh');
    expect(role).toMatch(/create role svc login nosuperuser nocreatedb nocreaterole noreplication/);
    for (const [name, service] of Object.entries(services)) {
      if (service.environment?.POSTGRES_USER === undefined) continue;
      expect(service.environment.POSTGRES_USER, name).toBe('postgres');
      expect(
        mounts(service).map(([from]) => from),
        name,
      ).toContain('./deploy/postgres-role.sh');
    }
    for (const [name, { environment }] of ours)
      expect(environment.DATABASE_URL, name).toContain('postgres://svc:');
    expect(read('deploy/postgres-standby.sh')).toContain('user=standby');
  });

  test('nginx finds every replica, and the replicas trust only nginx', () => {
    const aliases = replicas.flatMap(([, { networks }]) => networks.front.aliases as string[]);
    expect(all(read('deploy/nginx-replicas.conf'), /^\s*server ([\w-]+):3000;/gm)).toEqual(aliases);
    for (const [, { environment }] of replicas)
      expect(rendered(environment.TRUST_PROXY, {})).toBe(networks.front.ipam.config[0].subnet);
  });

  test('runs the service as an unprivileged user with few writable paths, all on volumes', () => {
    const dockerfile = read('Dockerfile');
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(all(last, /^USER (.+)$/gm)).toEqual(['node']);
    const owned = /chown node:node ([^&\\]+)/.exec(last)![1]!.trim().split(' ');
    for (const [name, service] of ours) {
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
      expect(service.user).toBeUndefined();
      for (const [, to] of mounts(service)) expect(owned).toContain(to);
    }
    // The ledgers keep a restored database from bringing back retracted texts and revoked keys.
    for (const [name, { environment, ...service }] of ours)
      for (const ledger of [
        `${environment.LEDGER_DIR}/erasures.jsonl`,
        `${environment.LEDGER_DIR}/revocations.jsonl`,
      ] as string[])
        expect(
          mounts(service).filter(([, to]) => ledger.startsWith(`${to}/`)),
          name,
        ).toHaveLength(1);
    expect(new Set(replicas.map(([, service]) => JSON.stringify(service.volumes))).size).toBe(1);
  });

  test('the image is built from existing files, and its backup tools match the databases', () => {
    const dockerfile = read('Dockerfile');
    const sent = new Set(all(read('.dockerignore'), /^!(.+)$/gm));
    for (const line of all(dockerfile, /^COPY (?!--from)(.+)$/gm))
      for (const source of line.split(' ').slice(0, -1)) {
        expect(existsSync(join(ROOT, source)), source).toBe(true);
        expect(sent, 'held back by .dockerignore').toContain(source.split('/')[0]);
      }
    for (const target of all(dockerfile, /ln -s \/app\/(\S+) /g))
      expect(existsSync(join(ROOT, target)), target).toBe(true);
    expect(dockerfile).toMatch(/apt-get install .*\bpostgresql-client\b/);
    const release = /^ARG NODE=node:24\.\d+\.\d+-(\w+)-slim$/m.exec(dockerfile)![1]!;
    const has = { bookworm: 15, trixie: 17 }[release]!;
    const databases = Object.values(services).flatMap(({ image }) => all(image, /^postgres:(\d+)/g));
    expect(databases).toHaveLength(3);
    for (const version of databases) expect(Number(version)).toBeLessThanOrEqual(has);
  });
});

describe('the content of the image', () => {
  let image: Awaited<ReturnType<typeof imageFiles>>;
  beforeAll(async () => {
    image = await imageFiles();
  });

  test('is what the programs load, and less than a third of what npm installs', () => {
    const { files, links, packages } = image;
    const paths = new Set(files.map(({ path }) => path));
    for (const needed of [
      'packages/server/bin/serve.mjs',
      'packages/server/bin/svc-admin.mjs',
      'packages/server/dist/chain/contracts/EAS.json',
      'packages/server/dist/db/pglite-thread.js',
      'packages/server/src/db/migrations/000001_core.sql',
      'packages/web/dist/islands/manifest.json',
      'node_modules/@electric-sql/pglite/dist/pglite.wasm',
      'node_modules/@electric-sql/pglite/dist/pg_trgm.tar.gz',
      'node_modules/@resvg/resvg-wasm/index_bg.wasm',
      'node_modules/@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf',
      'node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
      'node_modules/@fontsource/noto-emoji/unicode.json',
      'LICENSE',
    ])
      expect(paths, needed).toContain(needed);
    for (const folder of packages) expect(paths).toContain(`${folder}/package.json`);
    expect(links.map(({ path }) => path)).toContain('node_modules/@svc/web');
    for (const name of [
      'typescript',
      'vitest',
      'esbuild',
      'playwright-core',
      '@ethereum-attestation-service',
    ])
      expect([...paths].filter((path) => path.startsWith(`node_modules/${name}/`))).toEqual([]);
    const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    // Copying the installed modules unchanged took 351 MB.
    expect(megabytes).toBeLessThan(117);
  });

  test('is listed in an SBOM, bundled or not', () => {
    const { bomFormat, specVersion, components, dependencies, metadata } = imageSbom('2030-01-01T00:00:00Z');
    expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(metadata.component).toMatchObject({ name: 'commitment-service', version });
    const { packages } = image;
    const named = new Map(components.map((component) => [component['bom-ref'], component]));
    expect(named.size).toBe(components.length);
    for (const path of [
      ...packages,
      'packages/web',
      ...['fastify', 'pg', 'viem'].map((name) => `node_modules/${name}`),
    ]) {
      const installed = JSON.parse(read(`${path}/package.json`)) as { name: string; version: string };
      expect(named.get(path), path).toMatchObject({
        name: installed.name,
        version: installed.version,
        purl: `pkg:npm/${installed.name.replace('@', '%40')}@${installed.version}`,
      });
    }
    const refs = new Set([metadata.component.name, ...named.keys()]);
    for (const name of ['typescript', 'vitest', 'oxlint']) expect(refs).not.toContain(`node_modules/${name}`);
    for (const { ref, dependsOn } of dependencies)
      for (const one of [ref, ...dependsOn]) expect(refs).toContain(one);
  });
});
