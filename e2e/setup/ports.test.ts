import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PORTS = join(import.meta.dirname, '../../scripts/lasting-port.mjs');

/** So many ports in each of several processes that two would meet at one many times over if they only drew lots. */
const [PROCESSES, EACH] = [3, 400];

test('no two processes are given one port', async () => {
  const program = `
    const { lastingPort } = await import(${JSON.stringify(PORTS)});
    const ports = [];
    while (ports.length < ${EACH}) ports.push(await lastingPort());
    process.stdout.write(JSON.stringify(ports));
    // Until all are there.
    process.stdin.resume().once('close', () => process.exit());`;
  const asked = Array.from({ length: PROCESSES }, () => {
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const printed = new Promise<number[]>((resolve) => {
      let text = '';
      running.child.stdout!.on('data', (chunk: string) => {
        text += chunk;
        if (text.endsWith(']')) resolve(JSON.parse(text) as number[]);
      });
    });
    return { running, printed };
  });
  const ports = (await Promise.all(asked.map(({ printed }) => printed))).flat();
  for (const { running } of asked) running.child.stdin!.end();
  await Promise.all(asked.map(({ running }) => running));
  expect(ports).toHaveLength(PROCESSES * EACH);
  expect(new Set(ports).size).toBe(PROCESSES * EACH);
});
