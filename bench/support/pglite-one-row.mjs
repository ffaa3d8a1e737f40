// Into a PGlite in a separate process.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { migrate } from '../../packages/server/dist/db/migrate.js';
import { openPglite } from '../../packages/server/dist/db/pglite.js';
import { ONE_ROW, PREPARE } from './one-row.mjs';

const USERS = 32;
const seconds = Number(process.argv[2]);
const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const db = await openPglite({ dataDir });
await migrate(db);
for (let n = 0; n < USERS; n++) {
  const [{ id }] = await db.query(sql`insert into account (id, kind, username, display_name, created_at)
    values (gen_random_uuid(), 'agent', ${`bench_${n}`}, 'x', now()) returning id`);
  await db.query(
    sql`insert into allowance (user_id, kind, spent, updated_at) values (${id}, 'etch', 0, now())`,
  );
}
for (const statement of PREPARE.split(';')) await db.query(raw(statement));
const end = performance.now() + seconds * 1000;
let done = 0;
while (performance.now() < end) {
  await db.query(raw(ONE_ROW.replace('USER', String(1 + (done % USERS)))));
  done++;
}
process.send({ perSecond: done / seconds });
await db.close();
await rm(dataDir, { recursive: true, force: true });
if (process.connected) process.disconnect();
