// What the tests need from outside comes from one of several sources, tried in order.
import { SetupError, run } from './run.mjs';

/**
 * Answers what the first source gives that has any; `setting` (an environment variable) insists on one of them.
 * @throws SetupError that names what was tried, between `needed` and `help`
 */
export async function fromFirst(sources, { setting, chosen, needed, help }) {
  if (chosen && !(chosen in sources)) {
    throw new SetupError(`${setting} must be one of ${Object.keys(sources).join(', ')}, not ${chosen}.`);
  }
  const tried = [];
  for (const name of chosen ? [chosen] : Object.keys(sources)) {
    try {
      return await sources[name]();
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      tried.push(`  ${name}: ${error.message.replaceAll('\n', '\n    ')}`);
    }
  }
  throw new SetupError(`${needed} and found none:\n${tried.join('\n')}\n${help}`);
}

/** Installs a package of the system. @throws SetupError */
export async function installByApt(name) {
  if (process.getuid?.() !== 0) throw new SetupError('only root may install packages');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = async (...args) =>
    (await run('apt-get', ['-q', '-y', ...args], { env, cwd: '/' }).catch(() => ({ status: 1 }))).status ===
    0;
  const install = () => apt('install', '--no-install-recommends', name);
  // The list may be absent (slim images) or old: a failing update alone decides nothing.
  if (await install()) return;
  await apt('update');
  if (!(await install())) throw new SetupError(`apt-get install ${name} failed`);
}
