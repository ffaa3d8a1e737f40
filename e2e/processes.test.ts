import { Agent, get, type ClientRequest } from 'node:http';
import { checkIndexAnswers, parseIndexAnswer } from '@svc/protocol/account-index';
import { expect, test } from 'vitest';
import { startPair } from '../testing/database/pair.ts';
import { audit } from '../testing/ledger/audit.ts';
import { AT_FULL_COUNT, rounds } from '../testing/rounds.ts';
import { Load } from '../testing/system/load.ts';
import type { ServiceProcess } from '../testing/system/service-process.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const ground = useGround();
const [TOOLS_A_MINUTE, PAGES_OF_ADDRESS] = [40, 5];

async function startWorld(processes: number): Promise<World> {
  const world = ground.keep(
    await postgresWorld(ground, {
      PROCESSES: String(processes),
      TEST_LIMIT_MCP_PER_MINUTE: String(TOOLS_A_MINUTE),
      TEST_LIVE_CONNECTIONS_PER_ADDRESS: String(PAGES_OF_ADDRESS),
    }),
  );
  await world.start();
  return world;
}

const serving = (service: ServiceProcess): number[] =>
  service
    .log()
    .filter(({ msg }) => msg === 'one of several processes serves')
    .map((line) => line['pid'] as number);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { connection: 'close', ...init.headers } });

const sum = (text: string, line: RegExp): number =>
  [...text.matchAll(line)].reduce((total, [, value]) => total + Number(value), 0);

test.concurrent('counts limits exactly, sums metrics and updates pages, whichever process answers', async () => {
  const world = await startWorld(2);
  const ping = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const pings = await Promise.all(
    Array.from({ length: 2 * TOOLS_A_MINUTE }, () => ask(`${world.url}/mcp`, { ...ping, headers })),
  );
  expect(pings.filter(({ status }) => status === 200)).toHaveLength(TOOLS_A_MINUTE);
  expect(pings.filter(({ status }) => status === 429)).toHaveLength(TOOLS_A_MINUTE);

  const counted = /^svc_request_seconds_count\{operation="\/healthz",status="200"\} (\d+)$/gm;
  await Promise.all(Array.from({ length: 21 }, () => ask(`${world.url}/healthz`)));
  for (let time = 0; time < 4; time++) {
    const text = await (await ask(`${world.url}/metrics`)).text();
    expect(sum(text, counted)).toBe(21);
    expect(text.match(/^svc_build_info\{/gm)).toHaveLength(1);
    expect(text.match(/^svc_ready\{part="database"\} 1$/gm)).toHaveLength(1);
  }

  const [agent] = await world.agents(1);
  const load = new Load({ client: world.client, agents: [agent!] });
  const { id } = await load.etch({ mode: 'instant', reveal_at: null });
  const pages = await Promise.all(
    Array.from({ length: 2 * PAGES_OF_ADDRESS }, () => listen(`${world.url}/e/${id}/events`)),
  );
  const listening = pages.filter(({ status }) => status === 200);
  expect(listening).toHaveLength(PAGES_OF_ADDRESS);
  await eventually('each open page hears of the anchoring', () =>
    listening.every(({ heard }) => heard().includes('anchored')),
  );
  pages.forEach(({ close }) => close());
  await proveRecord(world, agent!.userId, 1);
  await eventually('places are free again', async () => {
    const again = await listen(`${world.url}/e/${id}/events`);
    again.close();
    return again.status === 200;
  });
});

/** Each process proves all entries of the account. */
async function proveRecord(world: World, userId: string, count: number): Promise<void> {
  const read = async () => {
    const answer = await ask(`${world.url}/log/index/${userId}`);
    return answer.ok ? parseIndexAnswer(await answer.json()) : undefined;
  };
  await eventually('the index has the etch', async () => (await read())?.count === count);
  // New connections go to the processes in turn.
  for (let time = 0; time < 4; time++) {
    const page = (await read())!;
    expect(checkIndexAnswers([page], { userId, checkpoint: page.checkpoint })).toMatchObject({ count });
  }
}

if (AT_FULL_COUNT) {
  test.concurrent('releases the streams of live pages after the primary process paused', async () => {
    const world = await startWorld(2);
    const [agent] = await world.agents(1);
    const { id } = await new Load({ client: world.client, agents: [agent!] }).etch({
      mode: 'instant',
      reveal_at: null,
    });
    // The primary hands over connections, so these open before it pauses.
    const agents = Array.from({ length: 2 * PAGES_OF_ADDRESS }, () => new Agent({ keepAlive: true }));
    await Promise.all(agents.map((kept) => listen(`${world.url}/e/${id}`, kept).then(({ ended }) => ended)));
    process.kill(world.service.pid, 'SIGSTOP');
    const refused = await Promise.all(agents.map((kept) => listen(`${world.url}/e/${id}/events`, kept)));
    process.kill(world.service.pid, 'SIGCONT');
    expect(refused.map(({ status }) => status)).toEqual(agents.map(() => 503));
    agents.forEach((kept) => kept.destroy());
    await eventually('as many pages as are allowed listen', async () => {
      const pages = await Promise.all(
        Array.from({ length: PAGES_OF_ADDRESS }, () => listen(`${world.url}/e/${id}/events`)),
      );
      pages.forEach(({ close }) => close());
      return pages.every(({ status }) => status === 200);
    });
  });

  test.concurrent('replaces a process that is killed under load and loses nothing; a stop ends all', async () => {
    const world = await startWorld(3);
    const { service } = world;
    expect(new Set(serving(service)).size).toBe(3);
    const load = new Load({ client: world.client, agents: await world.agents(4), restMs: 20 });
    load.start();
    for (let time = 0; time < rounds(2, 40); time++) {
      const alive = serving(service).filter(isAlive);
      process.kill(alive[time % alive.length]!, 'SIGKILL');
      await eventually('another one takes its place', () => serving(service).length === 4 + time);
    }
    await load.finish();
    const pids = serving(service).filter(isAlive);
    expect(pids).toHaveLength(3);
    await audit(world, load);
    await eventually('none is left', () => !pids.some(isAlive));
    expect(service.output()).not.toContain('could not stop cleanly');
  });

  test.concurrent('ends the processes after their answers when the primary process is killed', async () => {
    const world = await startWorld(2);
    const pids = serving(world.service);
    process.kill(world.service.pid, 'SIGKILL');
    await eventually('none is left', () => !pids.some(isAlive));
    expect((await world.service.exited).signal).toBe('SIGKILL');
    expect(world.service.log().filter(({ msg }) => msg === 'stopped')).toHaveLength(2);
  });

  test.concurrent('reads lists from a standby in each process', async () => {
    const { databaseUrl } = ground.keep(await startPair());
    const world = ground.keep(
      await postgresWorld(
        { chain: ground.chain, databaseUrl },
        { PROCESSES: '2', DATABASE_READ_URL: databaseUrl },
      ),
    );
    const service = await world.start();
    await eventually('both processes have found the standby', () => {
      const found = service
        .log()
        .filter(({ msg }) => msg === 'the standby of DATABASE_READ_URL answers lists');
      return new Set(found.map(({ pid }) => pid)).size === 2;
    });
    const load = new Load({ client: world.client, agents: await world.agents(1) });
    const { id } = await load.etch({ mode: 'instant', reveal_at: null });
    const byStandby = async (): Promise<number> =>
      sum(
        await (await ask(`${world.url}/metrics`)).text(),
        /^svc_standby_lists\{answered="standby"\} (\d+)$/gm,
      );
    const isListed = async (): Promise<boolean> =>
      (await (await ask(`${world.url}/api/v1/search?status=revealed`)).text()).includes(id!);
    await eventually('the standby lists it', async () => {
      const before = await byStandby();
      return (await isListed()) && (await byStandby()) === before + 1;
    });
    const before = await byStandby();
    // New connections go to the processes in turn, so each answers half.
    for (let time = 0; time < 20; time++) expect(await isListed()).toBe(true);
    expect(await byStandby()).toBe(before + 20);
    await proveRecord(world, load.wanted[0]!.agent.userId, 1);
    await audit(world, load);
  });

  test.concurrent('ends all processes, with the reason, if one cannot start', async () => {
    const world = ground.keep(await postgresWorld(ground, { PROCESSES: '2', FAILPOINT: 'none' }));
    const service = await world.start({}, { until: 'spawned' });
    expect((await service.exited).code).toBe(1);
    expect(service.output()).toContain('FAILPOINT must be one of');
    expect(service.output()).not.toContain('"msg":"serving ');
  });
}

interface Listener {
  status: number;
  heard: () => string;
  ended: Promise<void>;
  close: () => void;
}

function listen(url: string, agent: Agent | false = false): Promise<Listener> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const request: ClientRequest = get(url, { agent, headers: { accept: 'text/event-stream' } }, (answer) => {
      answer.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      answer.on('error', () => undefined);
      const ended = new Promise<void>((end) => answer.once('end', end));
      const close = () => void request.destroy();
      resolve({ status: answer.statusCode!, heard: () => heard, ended, close });
    });
    request.on('error', reject);
  });
}
