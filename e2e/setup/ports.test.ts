import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PORTS = join(import.meta.dirname, '../../scripts/lasting-port.mjs');

/** Enough ports per process that random choices would collide many times. */
const [PROCESSES, EACH] = [3, 400];

test('gives no two processes the same port', async () => {
  const program = `
    const { lastingPort } = await import(${JSON.stringify(PORTS)});
    const ports = [];
    while (ports.length < ${EACH}) ports.push(await lastingPort());
    process.stdout.write(JSON.stringify(ports));
    // Wait until all processes have started.
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
