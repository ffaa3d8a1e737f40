import { SetupError, run } from './run.mjs';

/** Uses the first source that has the program. @throws SetupError with `needed`, every failed source, and `help` */
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

export async function installByApt(name) {
  if (process.getuid?.() !== 0) throw new SetupError('only root may install packages');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = async (...args) =>
    (await run('apt-get', ['-q', '-y', ...args], { env, cwd: '/' }).catch(() => ({ status: 1 }))).status ===
    0;
  const install = () => apt('install', '--no-install-recommends', name);
  // The installation may succeed after a failed update.
  if (await install()) return;
  await apt('update');
  if (!(await install())) throw new SetupError(`apt-get install ${name} failed`);
}
