import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export function bringPrograms(...names: string[]): void {
  const missing = names.filter((name) => !existsSync(`/usr/bin/${name}`));
  if (missing.length === 0) return;
  console.log(`apt-get install ${missing.join(' ')}`);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { stdio: 'ignore' });
}
