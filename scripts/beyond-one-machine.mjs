// `npm run beyond`: three processes behind nginx on a PostgreSQL primary with a synchronous standby, with Redis and a chain
// of their own. The primary is lost under load, twice; then everything acknowledged is looked for.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { join } = await import('node:path');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { ensureNginx } = await import('./prerequisites/nginx.mjs');
const { ensurePostgres } = await import('./prerequisites/postgres.mjs');
const { ensureRedis } = await import('./prerequisites/redis.mjs');
const { ROOT, orExplain, run } = await import('./prerequisites/run.mjs');

await orExplain(async () => {
  await prepare();
  await ensurePostgres();
  await ensureNginx();
  await ensureRedis();
});
const script = join(ROOT, 'scripts', 'test.mjs');
const { status } = await run(process.execPath, [script, '--soak', 'e2e/beyond-one-machine.soak.test.ts']);
process.exitCode = status;
