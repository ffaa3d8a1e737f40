import { chmodSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, newFolder } from '../testing/machine/folder.ts';
import { startService } from '../testing/system/service-process.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';

const ground = useGround();

/** Node.js with at most so many open files. */
function limitedNode(files: number): string {
  const script = `#!/bin/sh\nulimit -n ${files} && exec '${process.execPath}' "$@"\n`;
  const path = join(folderWith('node', script), 'node');
  chmodSync(path, 0o755);
  return path;
}

test('a start on the embedded database without enough files ends, and says what to raise', async () => {
  const settings = { PORT: '0', DATA_DIR: newFolder('data') };
  const service = await startService(settings, { node: limitedNode(256), until: 'spawned' });
  expect((await service.exited).code).toBe(1);
  const fatal = service.log().find(({ level }) => level === 60);
  expect(fatal?.msg).toMatch(/^cannot start: .* 256 files .*needs 512.*: raise the limit: LimitNOFILE/);
});

test('connections beyond the limit are dropped; the others are served, and the log has few lines', async () => {
  const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain: ground.chain }));
  const service = await world.start({}, { node: limitedNode(256) });
  expect(service.log().find(({ msg }) => msg.includes('at most 128 connections'))?.level).toBe(40);
  const before = service.log().length;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = get(service.url + path, { agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      });
      sent.once('error', reject);
    });
  expect(await read('/healthz')).toBe(200);
  let closed = 0;
  const sockets: Socket[] = [];
  const { port } = new URL(service.url);
  try {
    for (let at = 0; at < 400; at++)
      sockets.push(
        connect(Number(port), '127.0.0.1')
          .on('error', () => undefined)
          .on('close', () => void closed++),
      );
    await eventually('the connections beyond the limit are closed', () => closed >= 400 - 128);
    for (const path of ['/readyz', '/docs/agents', '/about', '/search?q=tide', '/install/', '/readyz'])
      expect(await read(path), path).toBe(200);
    expect(closed).toBeLessThan(400);
    const said = service
      .log()
      .slice(before)
      .filter(({ level }) => level >= 40);
    expect(said.map(({ msg }) => msg)).toEqual([expect.stringContaining('new connections are dropped')]);
  } finally {
    for (const socket of sockets) socket.destroy();
    agent.destroy();
  }
});
