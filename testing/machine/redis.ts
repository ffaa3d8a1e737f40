import { spawn } from 'node:child_process';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { newFolder } from './folder.ts';
import { lastingPort } from './free-port.ts';

export interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const program = await ensureProgram('redis-server');
  const port = await lastingPort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, args, { cwd: newFolder('redis'), stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/ready to accept connections/i.test(said)) resolve();
    });
    child.once('error', reject);
    void ended.then(() => reject(new Error(`Redis ended: ${said}`)));
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
