import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { newFolder } from './folder.ts';
import { lastingPort } from './free-port.ts';
import { startProgram } from './program.ts';

export interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const port = await lastingPort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const isUp = (said: string) => /ready to accept connections/i.test(said);
  const { stop } = await startProgram(await ensureProgram('redis-server'), args, isUp, {
    cwd: newFolder('redis'),
  });
  return { url: `redis://127.0.0.1:${port}`, stop };
}
