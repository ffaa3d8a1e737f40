import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ONE_ROW, PREPARE } from './one-row.mjs';

/** pgbench, else an equal client. */
export async function oneRowRate({ url, binDir, users, connections, seconds }) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(PREPARE);
  await client.end();
  const program = join(binDir, 'pgbench');
  return existsSync(program)
    ? { by: 'pgbench', perSecond: await byPgbench(program, { url, users, connections, seconds }) }
    : { by: 'raw client', perSecond: await byClient({ url, users, connections, seconds }) };
}

async function byPgbench(program, { url, users, connections, seconds }) {
  const script = join(tmpdir(), `svc-bench-${process.pid}.sql`);
  await writeFile(
    script,
    `\\set u random(1, ${users})\n${ONE_ROW.replaceAll('\n', ' ').replace('USER', ':u')};\n`,
    { mode: 0o644 },
  );
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    connections,
    '-j',
    Math.min(2, connections),
    '-T',
    seconds,
    '-f',
    script,
    url,
  ];
  const child = spawn(program, args.map(String), { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await new Promise((resolve) => child.once('exit', resolve));
  await rm(script);
  const tps = /tps = ([\d.]+)/.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench failed: ${output.slice(-500)}`);
  return Number(tps);
}

async function byClient({ url, users, connections, seconds }) {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const text = ONE_ROW.replace('USER', '$1::bigint');
  const end = performance.now() + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect();
      while (performance.now() < end) {
        await client.query({ name: 'one-row', text, values: [1 + Math.floor(Math.random() * users)] });
        done++;
      }
      client.release();
    }),
  );
  await pool.end();
  return done / seconds;
}
