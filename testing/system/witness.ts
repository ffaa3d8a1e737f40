import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { newFolder } from '../machine/folder.ts';
import { runProgram } from '../machine/program.ts';

const SVC = join(import.meta.dirname, '../../packages/cli/bin/svc.mjs');

export interface TestWitness {
  folder: string;
  key: string;
  url: string;
  /** Adds a log, from the next `start` on. */
  watch(vkey: string, url?: string): void;
  /** Uses the earlier port. */
  start(...options: string[]): Promise<void>;
  /** on standard error, since the last start */
  said(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export async function makeTestWitness(name: string): Promise<TestWitness> {
  const folder = newFolder('witness');
  const init = [SVC, 'witness', 'init', folder, '--name', name, '--json'];
  const { key } = JSON.parse((await runProgram(process.execPath, init)).out) as { key: string };
  let child: ChildProcess | undefined;
  let said = '';
  const witness: TestWitness = {
    folder,
    key,
    url: '',
    watch: (vkey, url = '') => appendFileSync(join(folder, 'logs'), `log ${vkey} ${url}\n`),
    said: () => said,
    async start(...options) {
      const listen = witness.url === '' ? '127.0.0.1:0' : new URL(witness.url).host;
      const args = [SVC, 'witness', 'run', folder, '--listen', listen, ...options];
      child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      said = '';
      child.stderr!.on('data', (text: Buffer) => {
        said += text.toString();
        process.stderr.write(text);
      });
      const [printed] = (await once(child.stdout!, 'data')) as [Buffer];
      witness.url = /http:\/\/\S+/.exec(printed.toString())![0];
    },
    async stop(signal = 'SIGTERM') {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
  return witness;
}
