import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNginx } from '../../scripts/prerequisites/nginx.mjs';
import { newFolder } from './folder.ts';
import { eventually } from '../wait.ts';

const CONFIGURATION = new URL('../../deploy/nginx.conf', import.meta.url);

export interface Nginx {
  url: string;
  stop(): Promise<void>;
}

/** Runs nginx with deploy/nginx.conf; only ports, upstream and file paths are changed. */
export async function startNginx(port: number, ports: readonly number[]): Promise<Nginx> {
  const program = await ensureNginx();
  const folder = newFolder('nginx');
  // Started by root, its workers run as another user.
  chmodSync(folder, 0o711);
  const file = join(folder, 'nginx.conf');
  const servers = ports.map((behind) => `    server 127.0.0.1:${behind};`).join('\n');
  const text = readFileSync(CONFIGURATION, 'utf8')
    .replace(/( {4}server service-\d:3000;\n)+/, `${servers}\n`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replaceAll('/tmp/', `${folder}/`);
  writeFileSync(file, text);
  const checked = spawnSync(program, ['-t', '-q', '-c', file], { encoding: 'utf8' });
  if (checked.status !== 0) throw new Error(`nginx refuses deploy/nginx.conf: ${checked.stderr}`);

  const child = spawn(program, ['-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // Its workers stop with it.
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  process.once('exit', () => child.kill('SIGTERM'));
  const url = `http://127.0.0.1:${port}`;
  await eventually('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
    return (await fetch(`${url}/healthz`).catch(() => undefined)) !== undefined;
  });
  return { url, stop };
}
