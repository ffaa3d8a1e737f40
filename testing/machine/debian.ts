import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Programs that the long tests try things in, each in a package of its own name: as root on Debian, what is missing is brought by apt. */
export function bringPrograms(...names: string[]): void {
  const missing = names.filter((name) => !existsSync(`/usr/bin/${name}`));
  if (missing.length === 0) return;
  console.log(`apt-get install ${missing.join(' ')}`);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { stdio: 'ignore' });
}
