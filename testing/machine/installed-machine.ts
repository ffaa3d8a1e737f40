// A machine with the installed programs of this one and only loopback as network. What it writes is gone afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { newFolder } from './folder.ts';
import { type Ran, runProgram, startProgram } from './program.ts';

/** Mounts `/` again, with a folder in memory for what is written, and a folder of the test at /mnt. */
const MACHINE = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/written" "$1/work" "$1/machine"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/written,workdir=$1/work" "$1/machine"
mount --rbind /dev "$1/machine/dev"
mount --rbind /proc "$1/machine/proc"
mount -t tmpfs tmpfs "$1/machine/tmp"
chmod 1777 "$1/machine/tmp"
mount --bind "$2" "$1/machine/mnt"
ip link set lo up
echo ready
exec sleep infinity`;

/** What keeps this machine from running such a machine, or undefined. */
export function missingForMachine(): string | undefined {
  if (process.getuid?.() !== 0) return 'root';
  if (spawnSync('unshare', ['--mount', '--net', 'true']).status !== 0) return 'namespaces';
  const nodejs = spawnSync('dpkg-query', ['--show', 'nodejs'], { encoding: 'utf8' });
  return nodejs.status === 0 ? undefined : 'dpkg with the package nodejs';
}

export interface Machine {
  /** Runs a script as root. The folder of the test is /mnt. */
  run(script: string): Promise<Ran>;
  start(script: string, isUp: () => Promise<boolean>): Promise<{ stop: () => Promise<void> }>;
  stop(): Promise<void>;
}

export async function startMachine(files: string): Promise<Machine> {
  const folder = newFolder('machine');
  const child = spawn('unshare', ['--mount', '--net', 'sh', '-c', MACHINE, 'sh', folder, files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  await once(createInterface(child.stdout), 'line');
  const inside = ['--target', String(child.pid), '--mount', '--net', 'chroot', `${folder}/machine`];
  const clean = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8', 'sh', '-e'];
  const args = (script: string) => [...inside, ...clean, '-c', script];
  return {
    run: (script) => runProgram('nsenter', args(script)),
    start: (script, isUp) => startProgram('nsenter', args(script), isUp),
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
