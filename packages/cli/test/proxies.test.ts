import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshHome, svc } from '../../../testing/clients/svc.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { ends } from '../../../testing/clients/ends.ts';

const service = useSharedService();
/** Only the proxy resolves this name. */
const BASE_URL = 'http://svc.test';
const seen: { line: string; authorization: string | undefined }[] = [];
let proxyUrl: string;

const proxy = createServer((request, response) => {
  seen.push({
    line: `${request.method} ${request.url}`,
    authorization: request.headers['proxy-authorization'],
  });
  const { pathname, search } = new URL(request.url!);
  const onward = ask(service.url + pathname + search, { method: request.method, headers: request.headers });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
});
proxy.on('connect', (request, socket) => {
  seen.push({ line: `CONNECT ${request.url}`, authorization: request.headers['proxy-authorization'] });
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => {
  proxy.close();
  proxy.closeAllConnections();
});
beforeEach(() => void seen.splice(0));

test.each(['HTTP_PROXY', 'http_proxy'])('plain http goes through the proxy of %s', async (name) => {
  const home = freshHome();
  const env = { SVC_BASE_URL: BASE_URL, [name]: proxyUrl };
  expect(await svc(['register'], { home, env })).toMatchObject({ status: 0, err: '' });
  expect(await svc(['whoami'], { home, env })).toMatchObject({ status: 0, err: '' });
  expect(seen.map(({ line }) => line)).toContain(`POST ${BASE_URL}/api/v1/agents`);
  expect(seen.every(({ line }) => line.includes(` ${BASE_URL}/`))).toBe(true);
});

test('https goes through the proxy of HTTPS_PROXY by CONNECT, with the user that it names', async () => {
  const env = { SVC_BASE_URL: 'https://svc.test', HTTPS_PROXY: proxyUrl.replace('//', '//ada:hidden@') };
  await ends(svc(['trust', 'https://svc.test'], { env }), 69, { out: '', without: 'hidden' });
  expect(seen[0]).toEqual({
    line: 'CONNECT svc.test:443',
    authorization: `Basic ${Buffer.from('ada:hidden').toString('base64')}`,
  });
});

test.each(['127.0.0.1', '*', 'other.test, 127.0.0.1'])(
  'a host of NO_PROXY=%s is asked directly',
  async (hosts) => {
    const env = { SVC_BASE_URL: service.url, HTTP_PROXY: proxyUrl, NO_PROXY: hosts };
    expect(await svc(['search', 'x'], { env })).toMatchObject({ status: 0 });
    expect(seen).toEqual([]);
  },
);

test('a variable that is no proxy is named, and so is one whose proxy is away; no value is shown', async () => {
  const wrong = await ends(
    svc(['search', 'x'], { env: { HTTP_PROXY: 'socks5://ada:hidden@proxy.test' } }),
    64,
    { err: 'HTTP_PROXY is not' },
  );
  const away = await ends(
    svc(['trust', 'https://svc.test'], {
      env: { HTTPS_PROXY: 'http://ada:hidden@127.0.0.1:1' },
    }),
    69,
    { err: 'through HTTPS_PROXY' },
  );
  expect(wrong.err + away.err).not.toContain('hidden');
});

test('nothing is loaded without a proxy', () => {
  const source = `
    import { createRequire } from 'node:module';
    import { useProxies } from '${new URL('../dist/bounded-fetch.js', import.meta.url).href}';
    const { cache } = createRequire('${import.meta.url}');
    const loaded = () => Object.keys(cache).some((path) => path.includes('/undici/'));
    const before = globalThis.fetch;
    await useProxies({ HTTP_PROXY: '', NO_PROXY: 'x' });
    console.log(loaded(), globalThis.fetch === before);
    await useProxies({ HTTP_PROXY: 'http://127.0.0.1:1' });
    console.log(loaded(), globalThis.fetch === before);`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  expect(ran.stdout).toBe('false true\ntrue false\n');
});
