import { setTimeout as sleep } from 'node:timers/promises';

/** Etches without a tree, trees that are not mined. */
export async function backlog(client) {
  const { rows } = await client.query(`
    select (select count(*)::int from anchor_job) as waiting,
           (select count(*)::int from anchor_tx where state not in ('MINED', 'FINAL')) as open`);
  return rows[0];
}

export async function allAnchored(client) {
  for (;;) {
    const { waiting, open } = await backlog(client);
    if (waiting === 0 && open === 0) return;
    await sleep(500);
  }
}
