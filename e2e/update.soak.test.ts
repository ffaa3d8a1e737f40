// The commands of docs/operating/several-machines.md#update-without-downtime, with a real nginx and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { registerAgent } from '../testing/clients/agents.ts';
import { Client } from '../testing/clients/client.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { startNginx } from '../testing/machine/nginx.ts';
import { runProgram } from '../testing/machine/program.ts';
import { shellBlocks } from '../testing/repository.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';

const ground = useGround();

/** The part of the page after the restart of an instance. */
const ending = shellBlocks('docs/operating/several-machines.md')
  .find(({ text }) => text.startsWith('update() {'))!
  .text.replace(/^ *ssh .*$/m, '')
  .replaceAll('$1:3000', '$1')
  .replaceAll(/^update .*$/gm, '');

test('while two instances are updated one after the other, no request of a client that retries fails', async () => {
  const world = ground.keep(await postgresWorld(ground));
  const ports = [await lastingPort(), await lastingPort()];
  const port = await lastingPort();
  const settings = { BASE_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: 'loopback' };
  const start = (at: number) => world.start({ ...settings, PORT: String(at), DATA_DIR: newFolder('data') });
  const instances = new Map(await Promise.all(ports.map(async (at) => [at, await start(at)] as const)));
  // nginx skips an instance for ten seconds that did not answer, so it starts last.
  const nginx = ground.keep(await startNginx(port, ports));

  const client = new Client(nginx.url);
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const ask = async (method: string, path: string, call = {}) => {
    const send = () =>
      client.call(method, path, call).catch((error: Error) => ({ status: 0, text: String(error), body: {} }));
    let reply = await send();
    // nginx sends no POST twice, so a client repeats it with its Idempotency-Key.
    if (method === 'POST' && reply.status === 502) reply = await send();
    if (reply.status < 200 || reply.status > 299)
      failed.push(`${method} ${path}: ${reply.status} ${reply.text}`);
    answered += 1;
    return reply.body ?? {};
  };
  const agents = [];
  for (let at = 0; at < 6; at++) agents.push(await registerAgent(client));
  const work = async ({ key }: { key: string }): Promise<void> => {
    while (!isOver) {
      const body = {
        content: `during ${answered}`,
        description: 'An update',
        category_id: 'tech',
        mode: 'instant',
      };
      const headers = { 'idempotency-key': randomUUID() };
      const { etch } = await ask('POST', '/api/v1/etches', { key, body, headers });
      await ask('GET', `/api/v1/etches/${etch?.id}`);
      await ask('GET', `/e/${etch?.id}`, { headers: { accept: 'text/html' } });
      await sleep(20);
    }
  };
  const workers = agents.map(work);
  const someAnswers = async () => {
    const before = answered;
    await eventually('more requests are answered', () => answered > before + 30);
  };

  for (const at of ports) {
    await someAnswers();
    await instances.get(at)!.stop();
    await someAnswers();
    instances.set(at, await start(at));
    const ran = await runProgram('sh', ['-e', '-c', `${ending}\nupdate 127.0.0.1:${at}`]);
    expect(ran, ran.err).toMatchObject({ status: 0 });
    await someAnswers();
  }
  isOver = true;
  await Promise.all(workers);
  client.close();
  expect(failed).toEqual([]);
  for (const instance of instances.values()) expect(await instance.stop()).toEqual({ code: 0, signal: null });
});
