import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './folder.ts';

export function newestVersion(): string {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
  return /^ARG NODE=node:(\d+\.\d+\.\d+)-/m.exec(dockerfile)![1]!;
}

export function bringNewestNode(): string {
  const folder = newFolder('node');
  const name = `node-${process.platform}-${process.arch}`;
  execFileSync('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    `${name}@${newestVersion()}`,
  ]);
  const program = join(folder, 'node_modules', name, 'bin/node');
  const support = execFileSync(program, ['-p', 'process.release.lts ?? ""'], { encoding: 'utf8' }).trim();
  if (support === '') throw new Error(`Node.js ${newestVersion()} has no long-term support`);
  return program;
}
