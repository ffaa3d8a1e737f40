import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../../../testing/machine/server.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { usePublished } from './support/published.ts';
import { save } from './support/saved.ts';
import { publish, wellKnown } from './support/service.ts';
import { svcHere } from './support/svc-here.ts';

/** A service on another machine, as far as `svc` can see: the address is not that of the loopback interface. */
const reader = usePublished();
const { vector, id } = reader;
const away = () => `http://0.0.0.0:${reader.service.port}`;
const run = (...args: string[]) => svcHere(args, { home: reader.home });

/** A program on the reader's machine that no stranger may reach. */
let admin: Awaited<ReturnType<typeof startServer>>;
let reached: string[];
beforeEach(async () => {
  reached = [];
  admin = await startServer((request, response) => {
    reached.push(request.url!);
    response.end('{}');
  });
});
afterEach(() => admin.stop());

test.each(['verify', 'audit'])(
  'svc %s sends nothing to an endpoint of this machine that a service names',
  async (command) => {
    publish(reader.service, vector, `${admin.url}/admin`, away());
    const target = command === 'verify' ? id : '--all';
    const ran = await run(command, target, '--base-url', away());
    expect(`${ran.out}${ran.err}`).toContain('leads to an address that is not public');
    expect(ran.status).not.toBe(0);
    expect(reached).toEqual([]);
  },
);

test('svc verify reads an endpoint that the reader names', async () => {
  publish(reader.service, vector, `${admin.url}/admin`, away());
  const ran = await run('verify', id, '--base-url', away(), '--rpc', reader.rpc.url, '--json');
  expect(JSON.parse(ran.out).checks.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    'pass',
    'pass',
    'pass',
  ]);
  const facts = save(wellKnown(vector, reader.rpc.url));
  await ends(run('verify', id, '--base-url', away(), '--trust', facts), 0);
});

test('svc verify sends nothing to a service of this machine that only a receipt names', async () => {
  const receipt = { ...vector.receipt, _verify_without_etch: `${admin.url}/verify` };
  await ends(run('verify', save(receipt)), 2, { out: 'no endpoint of the chain is known' });
  expect(reached).toEqual([]);
  await run('verify', save(receipt), '--base-url', admin.url);
  expect(reached).toEqual(['/.well-known/svc.json']);
});

test('svc verify follows a redirect of a receipt on its host, and not to this machine', async () => {
  const answers: Record<string, string> = { '/near': '/receipt', '/away': `${admin.url}/admin` };
  const stranger = await startServer(({ url }, response) => {
    const location = answers[url!];
    if (location === undefined) response.end(JSON.stringify(vector.receipt));
    else response.writeHead(302, { location }).end();
  });
  const at = (path: string) => run('verify', `http://0.0.0.0:${stranger.port}${path}`);
  await ends(at('/near'), 2, { out: `Receipt of etch ${id}` });
  const ran = await at('/away');
  await stranger.stop();
  expect(ran.status).toBeGreaterThan(2);
  expect(ran.err).toContain('leads to an address that is not public');
  expect(reached).toEqual([]);
});

test('an endpoint that redirects is not followed', async () => {
  const endpoint = await startServer(
    (_, response) => void response.writeHead(307, { location: `${admin.url}/admin` }).end(),
  );
  await ends(run('verify', id, '--base-url', reader.service.origin, '--rpc', endpoint.url), 2, {
    out: 'returned status 307',
  });
  await endpoint.stop();
  expect(reached).toEqual([]);
});
