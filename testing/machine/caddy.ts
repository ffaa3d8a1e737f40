import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { newFolder } from './folder.ts';
import { startProgram } from './program.ts';

export interface Caddy {
  authority: string;
  stop(): Promise<void>;
}

export async function startCaddy(
  file: string,
  { plainPort, variables }: { plainPort: number; variables: Record<string, string> },
): Promise<Caddy> {
  const folder = newFolder('caddy');
  const path = join(folder, 'Caddyfile');
  const own = `{\n\tadmin off\n\thttp_port ${plainPort}\n\tskip_install_trust\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n`;
  writeFileSync(path, own + readFileSync(file, 'utf8'));
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  const { stop } = await startProgram(
    await ensureProgram('caddy'),
    ['run', '--config', path, '--adapter', 'caddyfile'],
    (said) => existsSync(authority) && said.includes('serving initial configuration'),
    { env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...variables } },
  );
  return { authority, stop };
}
