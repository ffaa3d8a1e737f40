import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../testing/machine/folder.ts';
import { install, runAlone } from '../testing/machine/packed.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { useRunningService } from '../testing/system/running-service.ts';
import { ends } from '../testing/clients/ends.ts';

const root = join(import.meta.dirname, '..');
const NOWHERE = 'http://127.0.0.1:9';

const service = useRunningService();

interface Tarball {
  name: string;
  package: string;
  bytes: number;
  sha256: string;
  url: string;
  fixed_url: string;
}
const list = async () =>
  (await (await fetch(`${service.url}/install/`, { headers: { accept: 'application/json' } })).json()) as {
    version: string;
    tarballs: Tarball[];
  };
const installPage = async () =>
  (await fetch(`${service.url}/install`, { headers: { accept: 'text/html' } })).text();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('GET /install/ lists the tarballs of the version that runs, for people and programs', async () => {
  const { version, tarballs } = await list();
  expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  const page = await installPage();
  expect(tarballs.map(({ name }) => name)).toEqual(
    [...page.matchAll(/<h2 id="([^"]+\.tgz)"/g)].map(([, name]) => name),
  );
  for (const { url, fixed_url, sha256: sum, bytes, name } of tarballs) {
    expect(url).toBe(`${service.url}/install/${name}`);
    expect(page).toContain(sum);
    const latest = await fetch(url);
    const body = new Uint8Array(await latest.arrayBuffer());
    expect([body.length, sha256(body)]).toEqual([bytes, sum]);
    expect(latest.headers.get('cache-control')).toBe('no-cache');
    const etag = latest.headers.get('etag')!;
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const fixed = await fetch(fixed_url);
    expect(sha256(new Uint8Array(await fixed.arrayBuffer()))).toBe(sum);
    expect(fixed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  const named = 'svc-cli-0000000000000000.tgz svc-server.tgz index.json install%2Fsvc-cli.tgz %2Fsvc-cli.tgz';
  for (const name of named.split(' '))
    expect((await fetch(`${service.url}/install/${name}`)).status, name).toBe(404);
});

test('every page for programs shows the line that installs svc', async () => {
  const line = `npm install ${service.url}/install/svc-cli.tgz`;
  for (const path of ['/llms.txt', '/docs', '/about'])
    expect(await (await fetch(service.url + path)).text(), path).toContain(line);
});

describe('installed from the service alone', () => {
  const here = async (...names: string[]) =>
    install(
      names.map((name) => `${service.url}/install/${name}`),
      NOWHERE,
    );

  test('the lines of the page, in an empty folder, end with PASS', async () => {
    const place = { folder: newFolder('empty') };
    const commands = [...(await installPage()).matchAll(/<pre[^>]*><code data-copy="command">([^<]*)/g)];
    const script = commands
      .map(([, text]) => text!.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
      .concat(/then (npx .+?) \(/.exec(await (await fetch(`${service.url}/llms.txt`)).text())![1]!)
      .join('\n');
    const ran = await runAlone(place, 'sh', ['-e', '-c', script], { registry: NOWHERE });
    expect(ran, script + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toMatch(/Registered agent_[\s\S]*\nPASS: [\s\S]*\nUsage: svc /);
    const folder = join(place.folder, 'node_modules/@svc/cli');
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    expect(readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toMatch(/^@noble\/curves .*MIT/m);
  });

  test('the SDK types its answers', async () => {
    const place = await here('svc-sdk.tgz');
    writeFileSync(
      join(place.folder, 'use.ts'),
      `import { createClient } from '@svc/sdk';
       const client = createClient({ baseUrl: 'http://127.0.0.1:9' });
       export const name: string = (await client.me()).username;
       // @ts-expect-error an account has no such field
       export const none = (await client.me()).surname;
       for await (const etch of client.search({ q: 'tide' })) {
         // @ts-expect-error an etch has no such field
         console.log(etch.id, etch.surname);
       }`,
    );
    const strictly = '--strict --module nodenext --target es2023 --noEmit --skipLibCheck false --types'.split(
      ' ',
    );
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    await ends(runAlone(place, process.execPath, [tsc, ...strictly, '', 'use.ts']), 0);
  });

  // packages/cli/test/action.test.ts runs the action from the sources.
  if (AT_FULL_COUNT)
    test('the action commits to files and writes its outputs', async () => {
      const place = { folder: newFolder('job') };
      cpSync(join(root, 'action'), join(place.folder, 'action'), { recursive: true });
      writeFileSync(join(place.folder, 'plan.txt'), 'the plan');
      await ends(
        runAlone(
          await here('svc-cli.tgz'),
          'env',
          [`XDG_CONFIG_HOME=${place.folder}`, 'npx', '--no', 'svc', 'register', '--base-url', service.url],
          { registry: NOWHERE },
        ),
        0,
      );
      const { profiles } = JSON.parse(readFileSync(join(place.folder, 'svc', 'profiles.json'), 'utf8'));
      const prefix = join(place.folder, 'global');
      const variables = {
        GITHUB_ACTION_PATH: join(place.folder, 'action'),
        GITHUB_OUTPUT: join(place.folder, 'output'),
        RUNNER_TEMP: place.folder,
        GITHUB_STEP_SUMMARY: join(place.folder, 'summary'),
        PACKAGE: `${service.url}/install/svc-cli.tgz`,
        npm_config_prefix: prefix,
        SVC_BASE_URL: service.url,
        SVC_API_KEY: profiles.default.api_key,
        SVC_FILES: 'plan.txt',
        SVC_DESCRIPTION: 'A plan',
        PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`,
      };
      const steps = [...readFileSync(join(root, 'action/action.yml'), 'utf8').matchAll(/^ +run: (.+)$/gm)];
      expect(steps).toHaveLength(2);
      for (const [, step] of steps) {
        await ends(
          runAlone(
            place,
            'env',
            [...Object.entries(variables).map(([name, value]) => `${name}=${value}`)].concat(
              'bash',
              '-e',
              '-c',
              step!.replace(/^'(.*)'$/, '$1'),
            ),
            { registry: NOWHERE },
          ),
          0,
        );
      }
      const output = readFileSync(join(place.folder, 'output'), 'utf8');
      expect(output).toMatch(/^manifest=.*\netch-url=.*\nreceipt=.*\n$/);
      const receipt = /^receipt=(.*)$/m.exec(output)![1]!;
      expect(JSON.parse(readFileSync(receipt, 'utf8')).chain.anchored_at).not.toBeNull();
    });
});

if (AT_FULL_COUNT)
  test('the same sources give the same bytes', async () => {
    const built = async () => {
      const folder = newFolder('tarballs');
      const program = ['scripts/bundle-packages.mjs', '--out', folder];
      await ends(runAlone({ folder: root }, process.execPath, program), 0);
      return readFileSync(join(folder, 'index.json'), 'utf8');
    };
    expect(await built()).toBe(await built());
  });
