import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, ROOT } from '../../scripts/prerequisites/run.mjs';

const git = (...args) => execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim();

/** Below .cache; its own bench builds there. */
export function checkOut(name) {
  let commit;
  try {
    commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  } catch {
    throw new SetupError(
      `There is no commit ${name} in this clone (a shallow clone needs \`git fetch --unshallow\`).`,
    );
  }
  const folder = join(ROOT, '.cache', 'bench', commit.slice(0, 12));
  if (!existsSync(folder)) {
    const half = `${folder}.half`;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true });
    const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', half], { input: archive });
    renameSync(half, folder);
  }
  return { commit: commit.slice(0, 12), folder };
}
