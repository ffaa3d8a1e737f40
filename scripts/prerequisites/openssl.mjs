import { run, say, SetupError } from './run.mjs';

export async function ensureOpenssl() {
  if (await works('openssl')) return 'openssl';
  if (process.getuid?.() === 0 && (await works('apt-get'))) {
    say('Installing OpenSSL with apt-get …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['-q', '-y', 'update'], { env, cwd: '/' });
    await run('apt-get', ['-q', '-y', 'install', '--no-install-recommends', 'openssl'], { env, cwd: '/' });
    if (await works('openssl')) return 'openssl';
  }
  throw new SetupError(
    'The tests of time stamps need a real authority and found no `openssl`. Install it:\n' +
      '  apt-get install openssl (Debian, Ubuntu), apk add openssl (Alpine), brew install openssl (macOS)',
  );
}

async function works(program) {
  const asked = program === 'openssl' ? 'version' : '--version';
  const result = await run(program, [asked], { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/' }).catch(
    () => undefined,
  );
  return result?.status === 0;
}
