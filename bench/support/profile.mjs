// CPU per request by process, and the service's time by place.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../scripts/postgres.mjs';
import { cpuTime, postmasterOf } from './cpu-time.mjs';
import { startLoad, startService } from './processes.mjs';
import { rate, table } from './report.mjs';

/**
 * Runs a load against a service and a PostgreSQL under Node's CPU profiler (which slows it a little) and prints the shares.
 * @param {{ title: string, settings?: object, seconds: number, prepare: (service: object) => Promise<object> }} options `prepare`
 *   returns the job of the load
 */
export async function printProfile({ title, settings, seconds, prepare }) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-profile-'));
  const postgres = await startPostgres();
  const service = await startService({ DATABASE_URL: postgres.url, ...settings }, [
    '--cpu-prof',
    `--cpu-prof-dir=${folder}`,
  ]);
  const load = startLoad();
  try {
    const job = await prepare(service);
    await load.run({ ...job, seconds: seconds / 2 });
    const watched = {
      service: [service.pid],
      PostgreSQL: [postmasterOf(postgres), { withChildren: true }],
      'load generator': [load.pid],
    };
    const now = () => Object.entries(watched).map(([name, of]) => [name, cpuTime(...of)]);
    const before = now();
    const { perSecond } = await load.run({ ...job, seconds });
    const spent = now().map(([name, time], index) => [name, time - before[index][1]]);
    const requests = perSecond * seconds;
    if (!spent.some(([, time]) => Number.isNaN(time))) {
      table(
        `${title}: CPU for each request, at ${rate(perSecond)} under the profiler`,
        ['process', 'µs', 'of the time'],
        spent.map(([name, time]) => [name, (time / requests).toFixed(0), percent(time / (seconds * 1e6))]),
      );
    }
  } finally {
    load.stop();
    await service.stop();
    await postgres.stop();
  }
  const [file] = await readdir(folder);
  const shares = sharesOf(JSON.parse(await readFile(join(folder, file), 'utf8')), seconds * 1e6);
  await rm(folder, { recursive: true });
  table(
    `${title}: where the service spends its time`,
    ['what', 'share'],
    shares.filter(([, share]) => share >= 0.01).map(([what, share]) => [what, percent(share)]),
  );
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** Not idle, largest first. */
function sharesOf({ nodes, samples, timeDeltas }, micros) {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node.callFrame)]));
  const sums = new Map();
  let total = 0;
  let left = micros;
  for (let index = samples.length - 1; index >= 0 && left > 0; index--) {
    const place = places.get(samples[index]);
    const time = Math.max(0, timeDeltas[index]);
    left -= time;
    if (place === undefined) continue;
    total += time;
    sums.set(place, (sums.get(place) ?? 0) + time);
  }
  return [...sums].map(([place, time]) => [place, time / total]).sort((a, b) => b[1] - a[1]);
}

const NATIVE = {
  '(garbage collector)': 'garbage collection',
  writev: 'writing to sockets (system calls)',
  writeBuffer: 'writing to sockets (system calls)',
  writeUtf8String: 'writing to sockets (system calls)',
  writeLatin1String: 'writing to sockets (system calls)',
};

/** Module, package or part of Node.js; undefined when idle. */
function placeOf({ functionName, url }) {
  if (functionName === '(idle)') return undefined;
  const [, pkg] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (pkg !== undefined) return pkg;
  const [, room] = /\/packages\/([^/]+\/dist\/[^/]+)/.exec(url) ?? [];
  if (room !== undefined) return `ours: ${room.replace('/dist', '').replace(/\.js$/, '')}`;
  if (url.startsWith('node:'))
    return `Node: ${url.replace('node:', '').replace('internal/', '').split('/')[0]}`;
  return NATIVE[functionName] ?? 'Node: native code and the rest';
}
