// Runs `svc audit <name> --index` for an account of a hundred etches, among 10,000 etches and among 100,000.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts, fill, SVC } from './audit.mjs';
import { EACH_SECOND, allAnchored, newFolder, startGround } from './support/processes.mjs';
import { count, median, milliseconds, ratio, timed } from './support/report.mjs';

const [FEW, MANY] = [10_000, 100_000];
const ETCHES_OF_ACCOUNT = 100;
const AUDITS = 5;
const PARTS = [
  ['bytes received with gzip', '/'],
  ['of them, the record', '/api/'],
  ['of them, the index and its log', '/log/'],
  ['of them, the chain', '/rpc'],
];

export const aim = '100 kB and 2 s, both at most 1.2 times as much among ten times the etches.';

export async function measure(use) {
  const { client, port } = await startGround(use, { settings: EACH_SECOND, loads: 0 });
  const wire = await use(startCounter(port));
  await accounts(client, 1, MANY / ETCHES_OF_ACCOUNT);
  await accounts(client, MANY + 1, 2);
  /** The audited account has its etches in one tree, so that only the size of the service differs. */
  const auditAmong = async (first, others, account) => {
    await fill(client, first, others);
    await allAnchored(client);
    await fill(client, first + others, ETCHES_OF_ACCOUNT, account - 1);
    await allAnchored(client);
    const { rows } = await client.query(
      `select id, username from account where id = md5('account${account}')::uuid`,
    );
    const [{ id, username }] = rows;
    while ((await countOf(port, id)) < ETCHES_OF_ACCOUNT) await sleep(1_000);
    const times = [];
    for (let run = 0; run < AUDITS; run++) {
      const { path: home } = await use(newFolder());
      await svc(home, ['trust', wire.url]);
      wire.answers = [];
      times.push(await timed(() => svcAudit(wire.url, home, username)));
    }
    const bytesOf = (part) =>
      wire.answers.filter(({ url }) => url.startsWith(part)).reduce((sum, { bytes }) => sum + bytes, 0);
    return { bytes: PARTS.map(([, path]) => bytesOf(path)), time: median(times) };
  };
  const few = await auditAmong(1, FEW, MANY + 1);
  const many = await auditAmong(FEW + ETCHES_OF_ACCOUNT + 1, MANY - FEW, MANY + 2);
  return {
    table: `svc audit --index of an account of ${ETCHES_OF_ACCOUNT} etches, all of its requests and its start included`,
    head: ['what', `among ${count(FEW)} etches`, `among ${count(MANY)}`, 'ratio'],
    rows: [
      ...PARTS.map(([name], at) => [
        name,
        count(few.bytes[at]),
        count(many.bytes[at]),
        ratio(many.bytes[at] / few.bytes[at]),
      ]),
      ['time', milliseconds(few.time), milliseconds(many.time), ratio(many.time / few.time)],
    ],
  };
}

async function countOf(port, id) {
  const answer = await fetch(`http://127.0.0.1:${port}/log/index/${id}`);
  return answer.ok ? (await answer.json()).count : 0;
}

/** Without a witness, the audit ends with 2. */
async function svcAudit(base, home, username) {
  const said = await svc(home, ['audit', username, '--index', '--base-url', base, '--rpc', `${base}/rpc`], 2);
  if (!said.includes(`${ETCHES_OF_ACCOUNT} of ${ETCHES_OF_ACCOUNT} attested etches`)) throw new Error(said);
}

async function svc(home, args, expected = 0) {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(process.execPath, [SVC, ...args], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  if (code !== expected) throw new Error(`svc ended with ${code}: ${said}`);
  return said;
}

/** Counts what a reader over a network receives. On its own machine, svc requests no compression. */
async function startCounter(port) {
  const counter = { answers: [], url: '', close: () => server.close() };
  const server = createServer((received, response) => {
    const { url, method } = received;
    const headers = { ...received.headers, 'accept-encoding': 'gzip' };
    const sent = request({ host: '127.0.0.1', port, path: url, method, headers, agent: false });
    sent.on('response', (answer) => {
      const { socket } = answer;
      answer.once('end', () => counter.answers.push({ url, bytes: socket.bytesRead }));
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    received.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  counter.url = `http://127.0.0.1:${server.address().port}`;
  return counter;
}
