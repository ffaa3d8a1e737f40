import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { newFolder } from './folder.ts';
import { startProgram } from './program.ts';

const deployed = (name: string): string => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));

export interface Nginx {
  url: string;
  stop(): Promise<void>;
}

export function startNginx(
  port: number,
  ports: readonly number[],
  forwardedFor = '$remote_addr',
): Promise<Nginx> {
  const servers = ports.map((behind) => `    server 127.0.0.1:${behind};`).join('\n');
  return run(
    'nginx-replicas.conf',
    `http://127.0.0.1:${port}`,
    (text, folder) =>
      text
        .replace(/( {4}server service-\d:3000;\n)+/, `${servers}\n`)
        .replace('listen 8080;', `listen 127.0.0.1:${port};`)
        .replaceAll('/tmp/', `${folder}/`),
    (text) => text.replace('X-Forwarded-For $remote_addr', `X-Forwarded-For ${forwardedFor}`),
  );
}

export function startTlsNginx(
  { port, plainPort, behind }: { port: number; plainPort: number; behind: number },
  { certificate, key }: { certificate: string; key: string },
): Promise<Nginx> {
  return run('nginx.conf', `http://127.0.0.1:${plainPort}`, (text, folder) =>
    text
      .replace('server 127.0.0.1:3000;', `server 127.0.0.1:${behind};`)
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
      .replace('/etc/ssl/etches.example.org.pem', certificate)
      .replace('/etc/ssl/private/etches.example.org.key', key)
      .replace('/run/nginx.pid', `${folder}/nginx.pid`)
      .replace(
        'server_tokens off;',
        ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
          .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
          .join('\n'),
      ),
  );
}

async function run(
  name: string,
  url: string,
  adapt: (text: string, folder: string) => string,
  adaptService: (text: string) => string = (text) => text,
): Promise<Nginx> {
  const program = await ensureProgram('nginx');
  const folder = newFolder('nginx');
  chmodSync(folder, 0o711);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, adapt(readFileSync(deployed(name), 'utf8'), folder));
  writeFileSync(
    join(folder, 'nginx-service.conf'),
    adaptService(readFileSync(deployed('nginx-service.conf'), 'utf8')),
  );
  const checked = spawnSync(program, ['-t', '-q', '-c', file], { encoding: 'utf8' });
  if (checked.status !== 0) throw new Error(`nginx rejects deploy/${name}: ${checked.stderr}`);

  const listens = async () =>
    (await fetch(`${url}/healthz`, { redirect: 'manual' }).catch(() => undefined)) !== undefined;
  const { stop } = await startProgram(program, ['-c', file, '-g', 'daemon off;'], listens);
  return { url, stop };
}
