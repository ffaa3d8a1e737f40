// Runs without a database.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ensureProgram } from '../../../../scripts/prerequisites/programs.mjs';
import { RateLimited } from '../../src/platform/failure.ts';
import { addressKey, createRateLimiters, type RateLimiter } from '../../src/http/rate-limits.ts';
import type { SharedCounts } from '../../src/platform/flow/shared-counts.ts';
import { createCounts } from '../../src/service/processes/primary.ts';
import { openRedis, redisReadiness } from '../../src/service/connections.ts';
import { lastingPort } from '../../../../testing/machine/free-port.ts';

const options = { name: 'test', limit: 5, seconds: 60, what: 'tries' };
const outcome = (limiter: RateLimiter, who: string, points?: number) =>
  limiter.take(who, points).then(
    (meter) => meter.remaining,
    (error: unknown) => {
      expect(error).toBeInstanceOf(RateLimited);
      return 'refused';
    },
  );

describe('a limit in one process', () => {
  test('allows up to the limit, returns the rest, and separates callers', async () => {
    const limiter = createRateLimiters({})(options);
    const outcomes = await Promise.all(Array.from({ length: 7 }, () => outcome(limiter, 'one')));
    expect(outcomes).toEqual([4, 3, 2, 1, 0, 'refused', 'refused']);
    expect(await outcome(limiter, 'two')).toBe(4);
  });

  test('counts several points at once, and does not count rejected points', async () => {
    const limiter = createRateLimiters({})(options);
    expect(await outcome(limiter, 'one', 4)).toBe(1);
    expect(await outcome(limiter, 'one', 2)).toBe('refused');
    expect(await outcome(limiter, 'one', 6)).toBe('refused');
    expect(await outcome(limiter, 'one', 1)).toBe(0);
    await limiter.giveBack('one');
    expect(await outcome(limiter, 'one')).toBe(0);
  });

  test('rejects every request at a limit of 0', async () => {
    expect(await outcome(createRateLimiters({})({ ...options, limit: 0 }), 'one')).toBe('refused');
  });
});

describe('a limit of several processes on one machine', () => {
  const places = { hold: () => Promise.resolve(() => undefined) };

  test('is counted in one process for all of them', async () => {
    const counts = createCounts();
    const siblings: SharedCounts = { ...places, spend: async (spending) => (await counts([spending]))[0]! };
    const limiters = [1, 2].map(() => createRateLimiters({ siblings })(options));
    const outcomes = [];
    for (let time = 0; time < 7; time++) outcomes.push(await outcome(limiters[time % 2]!, 'one'));
    expect(outcomes).toEqual([4, 3, 2, 1, 0, 'refused', 'refused']);
    await limiters[0]!.giveBack('two', 1);
    expect(await outcome(limiters[1]!, 'two', 5)).toBe(1);
    expect(await outcome(createRateLimiters({ siblings })({ ...options, name: 'other' }), 'one')).toBe(4);
  });

  test('applies per process while that process cannot be reached', async () => {
    const siblings: SharedCounts = { ...places, spend: () => Promise.reject(new Error('gone')) };
    const limiter = createRateLimiters({ siblings })({ ...options, limit: 2 });
    const outcomes = await Promise.all([1, 2, 3].map(() => outcome(limiter, 'one')));
    expect(outcomes).toEqual([1, 0, 'refused']);
  });
});

describe('a limit of several processes by Redis', () => {
  let port: number;
  let server: ChildProcess;
  const clients: Redis[] = [];
  const warnings: string[] = [];
  const client = async (): Promise<Redis> => {
    const redis = openRedis(`redis://127.0.0.1:${port}`, { warn: (message) => warnings.push(message) });
    clients.push(redis);
    for (let tries = 0; redis.status !== 'ready' && tries < 200; tries++) await sleep(25);
    return redis;
  };

  beforeAll(async () => {
    const program = await ensureProgram('redis-server');
    port = await lastingPort();
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn(program, args, { stdio: 'ignore', cwd: '/' });
  });
  afterAll(() => {
    clients.forEach((redis) => redis.disconnect());
    server.kill();
  });

  test('is counted together', async () => {
    const [one, other] = [await client(), await client()].map((redis) =>
      createRateLimiters({ redis })(options),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => outcome(index % 2 ? one! : other!, 'shared')),
    );
    expect(outcomes.filter((result) => result !== 'refused')).toHaveLength(5);
    const elsewhere = createRateLimiters({ redis: clients[0] })({ ...options, name: 'another limit' });
    expect(await outcome(elsewhere, 'shared')).toBe(4);
  });

  test('applies per process while Redis is away, reports it, and recovers', async () => {
    const redis = await client();
    const limiter = createRateLimiters({ redis })({ ...options, name: 'gone' });
    const { check } = redisReadiness(redis);
    expect(await check()).toBeUndefined();
    server.kill('SIGKILL');
    await once(server, 'exit');
    for (let tries = 0; redis.status === 'ready' && tries < 200; tries++) await sleep(25);
    const outcomes = await Promise.all(Array.from({ length: 7 }, () => outcome(limiter, 'gone')));
    expect(outcomes.filter((result) => result === 'refused')).toHaveLength(2);
    expect(await check()).toBe('cannot be reached');
    // A refused connection follows the lost one.
    await vi.waitFor(() => expect(warnings.join()).toMatch(/REDIS_URL: \S+ cannot be used: /), 60_000);
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['nonsense', 'unknown'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
