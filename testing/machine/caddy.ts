import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { eventually } from '../wait.ts';
import { newFolder } from './folder.ts';

export interface Caddy {
  authority: string;
  stop(): Promise<void>;
}

export async function startCaddy(
  file: string,
  { plainPort, variables }: { plainPort: number; variables: Record<string, string> },
): Promise<Caddy> {
  const program = await ensureProgram('caddy');
  const folder = newFolder('caddy');
  const path = join(folder, 'Caddyfile');
  const own = `{\n\tadmin off\n\thttp_port ${plainPort}\n\tskip_install_trust\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n`;
  writeFileSync(path, own + readFileSync(file, 'utf8'));
  const child = spawn(program, ['run', '--config', path, '--adapter', 'caddyfile'], {
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  await eventually('Caddy serves', async () => {
    if (child.exitCode !== null) throw new Error(`caddy ended: ${said}`);
    return existsSync(authority) && said.includes('serving initial configuration');
  });
  return {
    authority,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
