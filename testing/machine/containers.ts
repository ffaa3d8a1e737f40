import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bringPrograms } from './debian.ts';
import { newFolder } from './folder.ts';

/** podman and buildah need root and Debian here. */
export interface Engine {
  build(context: string, name: string): void;
  podman(...args: string[]): string;
  close(): void;
}

export async function startEngine(node: string): Promise<Engine> {
  bringPrograms('podman', 'buildah', 'mmdebstrap');
  const folder = newFolder('containers');
  const holder = await holdMounts();
  // podman allows paths of 50 characters.
  const places = ['--root', join(folder, 'storage'), '--runroot', newFolder('run', '/tmp')];
  return {
    build(context, name) {
      const base = makeBase(folder, node);
      const bud = (args: string[]) => run('buildah', [...places, 'bud', '--isolation', 'chroot', ...args]);
      bud(['-t', 'base', base]);
      const settings = join(homedir(), '.npmrc');
      // The OCI format has no health check.
      bud([
        '--format',
        'docker',
        '--build-arg',
        'NODE=localhost/base',
        '-t',
        name,
        ...(existsSync(settings) ? ['--volume', `${settings}:/usr/local/etc/npmrc:ro`] : []),
        context,
      ]);
    },
    podman: (...args) =>
      run('nsenter', [
        '-t',
        String(holder.pid),
        '-m',
        'podman',
        ...places,
        '--cgroup-manager=cgroupfs',
        '--events-backend=file',
        ...args,
      ]),
    close: () => void holder.kill(),
  };
}

function makeBase(folder: string, node: string): string {
  const base = join(folder, 'base');
  execFileSync('mkdir', [base]);
  run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'trixie', join(base, 'debian.tar')]);
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
  run('npm', ['install', '--prefix', base, `node-linux-${architecture}@${node}`, 'npm@11']);
  // Behind a TLS proxy the image must trust the same certificates.
  const certificates = process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt';
  copyFileSync(certificates, join(base, 'certificates.crt'));
  writeFileSync(
    join(base, 'Containerfile'),
    [
      'FROM scratch',
      'ADD debian.tar /',
      `COPY node_modules/node-linux-${architecture}/bin/node /usr/local/bin/node`,
      'COPY node_modules/npm /usr/local/lib/node_modules/npm',
      'COPY certificates.crt /etc/ssl/certs/ca-certificates.crt',
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && groupadd -g 1000 node && useradd -m -u 1000 -g 1000 node',
    ].join('\n'),
  );
  return base;
}

/** The runtime rejects both versions of cgroups together. */
async function holdMounts(): Promise<ChildProcess> {
  const script =
    'if [ -d /sys/fs/cgroup/memory ]; then umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup; fi; echo ready; exec sleep infinity';
  const holder = spawn('unshare', ['-m', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  return holder;
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
