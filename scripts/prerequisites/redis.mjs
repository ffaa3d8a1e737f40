import { run, say, SetupError } from './run.mjs';

export async function ensureRedis() {
  if (await works('redis-server')) return 'redis-server';
  if (process.getuid?.() === 0 && (await works('apt-get'))) {
    say('Installing Redis with apt-get …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['-q', '-y', 'update'], { env, cwd: '/' });
    await run('apt-get', ['-q', '-y', 'install', '--no-install-recommends', 'redis-server'], {
      env,
      cwd: '/',
    });
    if (await works('redis-server')) return 'redis-server';
  }
  throw new SetupError(
    'The tests of shared limits need a real Redis and found no `redis-server`. Install it:\n' +
      '  apt-get install redis-server (Debian, Ubuntu), apk add redis (Alpine), brew install redis (macOS)',
  );
}

async function works(program) {
  const result = await run(program, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/' }).catch(
    () => undefined,
  );
  return result?.status === 0;
}
