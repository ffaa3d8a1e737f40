import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerAgent } from '../testing/clients/agents.ts';
import { Client } from '../testing/clients/client.ts';
import { type Engine, startEngine } from '../testing/machine/containers.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { newestVersion } from '../testing/machine/newest-node.ts';
import { eventually } from '../testing/wait.ts';

// As compose.yaml runs it. The engine here cannot limit memory, because it may create no cgroup.
const ROOT = join(import.meta.dirname, '..');
const NODE = newestVersion();
/** The size that the Dockerfile adds to its base: programs, documents, the client of PostgreSQL. */
const MOST_BYTES = 330e6;

let engine: Engine;
let client: Client;
let url = '';

beforeAll(async () => {
  engine = await startEngine(NODE);
  engine.build(ROOT, 'service');
  const port = await lastingPort();
  url = `http://127.0.0.1:${port}`;
  client = new Client(url);
  engine.podman(
    'run',
    '--detach',
    '--name',
    'service',
    '--network',
    'host',
    '--cgroups=disabled',
    '--ulimit',
    'nofile=1024:1024',
    '--ulimit',
    'nproc=1024:1024',
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'all',
    '--security-opt',
    'no-new-privileges',
    '-e',
    `PORT=${port}`,
    '-e',
    `BASE_URL=${url}`,
    '-e',
    'HOST=127.0.0.1',
    '-e',
    `SECRET_KEYS=${randomBytes(32).toString('hex')}`,
    '-e',
    'IDENTITY_EMBEDDED=true',
    '-v',
    'kept:/data',
    'localhost/service',
  );
  await isReady();
}, 3_600_000);

afterAll(() => {
  client.close();
  try {
    engine.podman('rm', '--force', '--volumes', 'service');
  } finally {
    engine.close();
  }
});

const isReady = () =>
  eventually(
    'the image is ready',
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200,
    { seconds: 120 },
  ).catch((error: Error) => {
    throw new Error(`${error.message}\n${engine.podman('logs', 'service')}`);
  });

test('is small, has a bill of materials, and reports healthy', () => {
  const size = (name: string) => Number(engine.podman('image', 'inspect', '--format', '{{.Size}}', name));
  expect(size('localhost/service') - size('localhost/base')).toBeLessThan(MOST_BYTES);
  const sbom = JSON.parse(engine.podman('exec', 'service', 'cat', '/app/sbom.cdx.json')) as {
    bomFormat: string;
    components: unknown[];
  };
  expect(sbom.bomFormat).toBe('CycloneDX');
  expect(sbom.components.length).toBeGreaterThan(50);
  engine.podman('healthcheck', 'run', 'service');
});

test('runs as an ordinary user and writes only to its volumes', () => {
  expect(engine.podman('exec', 'service', 'id', '-u').trim()).toBe('1000');
  const writable = engine.podman(
    'exec',
    'service',
    'sh',
    '-c',
    'for d in / /app /app/packages /usr /etc /home/node /data /tmp; do (echo > "$d/probe") 2>/dev/null && echo "$d"; done; true',
  );
  expect(writable.trim().split('\n')).toEqual(['/data', '/tmp']);
});

test('anchors and draws an etch and keeps it across a restart of the container', async () => {
  const agent = await registerAgent(client);
  const body = { content: 'in a box', description: 'A box', category_id: 'tech', mode: 'instant' };
  const made = await client.call('POST', '/api/v1/etches', { key: agent.key, body });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.etch;
  await eventually('it is anchored', async () => {
    const { chain } = (await client.call('GET', `/api/v1/etches/${id}`)).body.etch;
    return chain.status === 'anchored';
  });
  const page = await (await fetch(`${url}/e/${id}`, { headers: { accept: 'text/html' } })).text();
  const picture = await fetch(/property="og:image" content="([^"]+)"/.exec(page)![1]!);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await fetch(`${url}/docs/operating/set-up.md`)).status).toBe(200);

  client.rest();
  engine.podman('stop', '--time', '15', 'service');
  expect(engine.podman('inspect', '--format', '{{.State.ExitCode}}', 'service').trim()).toBe('0');
  engine.podman('start', 'service');
  await isReady();
  const { etch } = (await client.call('GET', `/api/v1/etches/${id}`)).body;
  expect([etch.content, etch.chain.status]).toEqual(['in a box', 'anchored']);
  const { checks } = (await client.call('GET', `/api/v1/verify/${id}`)).body;
  expect(checks.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['pass', 'pass', 'pass']);
});
