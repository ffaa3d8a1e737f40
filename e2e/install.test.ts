import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../testing/machine/folder.ts';
import { install, runAlone } from '../testing/machine/packed.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { NO_REGISTRY } from '../testing/system/program-journey.ts';
import { useRunningService } from '../testing/system/running-service.ts';
import { ends } from '../testing/clients/ends.ts';

const root = join(import.meta.dirname, '..');
const service = useRunningService();

interface InstallFile {
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
    program: InstallFile;
    tarballs: InstallFile[];
  };
const installPage = async () =>
  (await fetch(`${service.url}/install`, { headers: { accept: 'text/html' } })).text();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('GET /install/ lists the files of the version that runs, for people and programs', async () => {
  const { version, program, tarballs } = await list();
  expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  const page = await installPage();
  expect(tarballs.map(({ name }) => name)).toEqual(
    [...page.matchAll(/<h2 id="([^"]+\.tgz)"/g)].map(([, name]) => name),
  );
  expect(program).toMatchObject({ name: 'svc.mjs', package: '@svc/cli' });
  for (const { url, fixed_url, sha256: sum, bytes, name } of [...tarballs, program]) {
    expect(url).toBe(`${service.url}/install/${name}`);
    expect(page.replaceAll(/<\/?span>/g, '')).toContain(sum);
    const latest = await fetch(url);
    const body = new Uint8Array(await latest.arrayBuffer());
    expect([body.length, sha256(body)]).toEqual([bytes, sum]);
    expect(latest.headers.get('cache-control')).toBe('no-cache');
    expect(latest.headers.get('content-type')).toBe(
      name.endsWith('.tgz') ? 'application/gzip' : 'text/javascript; charset=utf-8',
    );
    const etag = latest.headers.get('etag')!;
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const fixed = await fetch(fixed_url);
    expect(sha256(new Uint8Array(await fixed.arrayBuffer()))).toBe(sum);
    expect(fixed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  const named = [
    'svc-cli-0000000000000000.tgz svc-0000000000000000.mjs svc-server.tgz index.json',
    'install%2Fsvc-cli.tgz %2Fsvc-cli.tgz',
  ].join(' ');
  for (const name of named.split(' '))
    expect((await fetch(`${service.url}/install/${name}`)).status, name).toBe(404);
});

test('every page for programs shows the line that installs svc', async () => {
  const line = `npm install ${service.url}/install/svc-cli.tgz`;
  for (const path of ['/llms.txt', '/docs', '/about'])
    expect(await (await fetch(service.url + path)).text(), path).toContain(line);
});

test('the SDK types its answers and has the files that its README names', async () => {
  const place = await install([`${service.url}/install/svc-sdk.tgz`], NO_REGISTRY);
  const sdk = join(place.folder, 'node_modules/@svc/sdk');
  const named = [...readFileSync(join(sdk, 'README.md'), 'utf8').matchAll(/`([a-z]+\/)`/g)].map(
    ([, path]) => path!,
  );
  expect(named).toContain('examples/');
  for (const path of named)
    expect(readdirSync(join(sdk, path))).toEqual(readdirSync(join(root, 'packages/sdk', path)));
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
