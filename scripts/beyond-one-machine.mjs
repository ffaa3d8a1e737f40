// Runs three services behind nginx, three PostgreSQL servers under Patroni, Redis and a chain. The leader is lost
// three times under load; then every acknowledged write must be found.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { readArguments } = await import('../packages/server/bin/arguments.mjs');
readArguments(`usage: npm run beyond

Runs the failover test of docs/operating/several-machines.md, and installs the programs it needs. Takes no arguments.`);
const { join } = await import('node:path');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { ensureNginx } = await import('./prerequisites/nginx.mjs');
const { ensurePatroni } = await import('./prerequisites/patroni.mjs');
const { ensureRedis } = await import('./prerequisites/redis.mjs');
const { ROOT, orExplain, run, say } = await import('./prerequisites/run.mjs');

say(
  'This run needs PostgreSQL, Patroni, etcd, PgBouncer, nginx and Redis. What is not here is brought into the system by apt-get ' +
    '(postgresql, patroni, etcd-server, pgbouncer, redis-server), and nginx out of Debian’s package into .cache.',
);
await orExplain(async () => {
  await prepare();
  await ensurePatroni();
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
