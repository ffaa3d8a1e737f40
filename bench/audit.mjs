// Runs `svc audit --all` on a million etches, next to a program that checks nothing; then again after one more tree.
import { fileURLToPath } from 'node:url';
import { call } from '../scripts/prerequisites/run.mjs';
import { EACH_SECOND, allAnchored, newFolder, startGround } from './support/processes.mjs';
import { count, ratio, timed } from './support/report.mjs';

export const SVC = fileURLToPath(new URL('../packages/cli/bin/svc.mjs', import.meta.url));
const ETCHES = 1_000_000;
const ETCHES_OF_ACCOUNT = 100;
const MORE = 10_000;
const PARALLEL = 4;
const LEAVES = 'application/vnd.svc.leaves';

export const aim = '60 s, 1.2 times reading; 2 s after the others.';

export async function measure(use) {
  const { client, port } = await startGround(use, { settings: EACH_SECOND, loads: 0 });
  const { path: home } = await use(newFolder());
  const base = `http://127.0.0.1:${port}`;
  await accounts(client, 1, ETCHES / ETCHES_OF_ACCOUNT);
  await fill(client, 1, ETCHES);
  const anchoring = await timed(() => allAnchored(client));
  const reading = await timed(() => readAll(base));
  const audit = await timed(() => svcAudit(base, home));
  // The audit compares the records of these accounts again.
  await fill(client, ETCHES + 1, MORE);
  await allAnchored(client);
  const again = await timed(() => svcAudit(base, home));
  const row = (what, took) => [what, (took / 1e3).toFixed(1), ratio(took / reading)];
  return {
    table: `svc audit --all of ${count(ETCHES)} etches, next to reading the same answers`,
    head: ['what', 'seconds', 'of reading'],
    rows: [
      row('anchored by the service, tree by tree', anchoring),
      row('the same trees and records read, nothing checked', reading),
      row('svc audit --all', audit),
      row(`the same after ${count(MORE)} more`, again),
    ],
  };
}

export const accounts = (client, first, many) =>
  client.query(`
    insert into account (id, kind, username, display_name, created_at, public_key)
    select md5('account' || n)::uuid, 'agent', 'agent_' || lpad(to_hex(n), 12, '0'), 'Bench ' || n, now(), md5('a' || n) || md5('b' || n)
    from generate_series(${first}, ${first + many - 1}) n`);

/** The accounts after this one have 100 of these etches each. */
export async function fill(client, first, many, after = 0) {
  const time = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await client.query('begin');
  await client.query(`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, revealed_at, content, salt)
    select id, user_id, 'c' || n, 'instant', 'revealed',
      sha256(convert_to('svc:v1|' || user_id || '|' || ${time} || '|' || encode(salt, 'hex') || '|' || content, 'UTF8')),
      'Etch ' || n, 'science', created_at, created_at, content, salt
    from (
      select n, md5('etch' || n)::uuid as id, md5('account' || ${after} + 1 + n % ${many / ETCHES_OF_ACCOUNT})::uuid as user_id,
        'The text of etch ' || n as content, sha256(convert_to('salt' || n, 'UTF8')) as salt,
        date_trunc('milliseconds', now() - interval '1 minute') + n % 50000 * interval '1 millisecond' as created_at
      from generate_series(${first}, ${first + many - 1}) n) as made`);
  await client.query(`
    insert into anchor_job (kind, etch_id, created_at) select 0, id, created_at from etch
    where not exists (select from batch_leaf where etch_id = etch.id) order by created_at`);
  await client.query('commit');
  await client.query('vacuum analyze');
}

/** Sends the requests of the audit. */
async function readAll(base) {
  const get = async (path, accept = 'application/json') => {
    const headers = { accept, 'accept-encoding': 'identity' };
    const answer = await fetch(`${base}/api/v1${path}`, { headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return accept === LEAVES ? Buffer.from(await answer.arrayBuffer()) : answer.json();
  };
  const pages = async (path, take = () => {}) => {
    for (let cursor = ''; cursor !== null;) {
      const answer = await get(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      take(answer);
      cursor = answer.page.next_cursor;
    }
  };
  const roots = [];
  await pages('/batches', ({ batches }) => roots.push(...batches.map(({ root }) => root)));
  const samples = new Map();
  await inParallel(roots, async (root) => {
    const leaves = await get(`/batches/${root}`, LEAVES);
    for (let at = 0; at < leaves.length; at += 48)
      samples.set(leaves.latin1Slice(at, at + 16), leaves.subarray(at + 16, at + 48));
  });
  await inParallel([...samples.values()], async (hash) => {
    const { etch } = await get(`/etches?hash=${hash.toString('hex')}`);
    await pages(`/users/${etch.author.username}/etches`);
  });
}

async function inParallel(items, work) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

function svcAudit(base, home) {
  const trust = ['--base-url', base, '--trust', base, '--parallel', String(PARALLEL)];
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home };
  return call(process.execPath, [SVC, 'audit', '--all', ...trust], { env });
}
