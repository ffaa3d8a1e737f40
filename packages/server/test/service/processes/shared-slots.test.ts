// Runs without a database.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProcessCalls } from '../../../src/platform/flow/process-calls.ts';
import { createSharedSlots } from '../../../src/service/processes/primary.ts';
import { createSiblingSlots } from '../../../src/service/start/siblings.ts';

let last = 0;
const hold = (key: string, most: number) => ({ id: ++last, key, most });

test('counts slots over all processes, and frees those of a process that ended', () => {
  const places = createSharedSlots();
  const takes = (process: number, key: string, most: number) => places.hold(process, hold(key, most));
  expect([1, 2, 1, 2].map((process) => takes(process, 'a', 3))).toEqual([true, true, true, false]);
  expect(takes(2, 'b', 1)).toBe(true);
  const ofB = last;
  places.ended(1);
  expect([1, 1, 1].map((process) => takes(process, 'a', 3))).toEqual([true, true, false]);
  expect(takes(1, 'b', 1)).toBe(false);
  places.release(2, ofB);
  expect(takes(1, 'b', 1)).toBe(true);
});

const ofA = (most: number) => (id: number) => ({ id, key: 'a', most });
test('a process releases only its own holds, each once', () => {
  const [places, one] = [createSharedSlots(), ofA(2)];
  for (const id of [1, 2]) places.hold(1, one(id));
  places.release(2, 1);
  expect(places.hold(2, one(1))).toBe(false);
  for (let time = 0; time < 2; time++) places.release(1, 1);
  expect([1, 2].map((id) => places.hold(2, one(id)))).toEqual([true, false]);
});

test('frees holds that a process no longer lists', () => {
  const [places, one] = [createSharedSlots(), ofA(3)];
  for (const id of [1, 2]) places.hold(1, one(id));
  places.hold(2, one(1));
  places.keepOnly(1, [2]);
  expect([1, 2].map((id) => places.hold(3, one(id)))).toEqual([true, false]);
});

function connected() {
  const places = createSharedSlots();
  let paused = false;
  let drop = (_question: string | undefined): boolean => false;
  const waiting: (() => void)[] = [];
  const listeners = {
    process: (_: unknown) => undefined as void,
    primary: (_: unknown) => undefined as void,
  };
  const deliver = (to: keyof typeof listeners, message: object) => {
    if (drop((message as { question?: string }).question)) return;
    const give = () => listeners[to](message);
    if (paused && to === 'primary') waiting.push(give);
    else give();
  };
  createProcessCalls(
    { send: (message) => deliver('process', message), listen: (listener) => (listeners.primary = listener) },
    {
      hold: (one: { id: number; key: string; most: number }) => places.hold(1, one),
      release: ({ id }: { id: number }) => places.release(1, id),
      holds: ({ ids }: { ids: readonly number[] }) => places.keepOnly(1, ids),
    },
  );
  const ask = createProcessCalls(
    { send: (message) => deliver('primary', message), listen: (listener) => (listeners.process = listener) },
    {},
  );
  return {
    places: createSiblingSlots(ask),
    pause: () => (paused = true),
    resume: () => {
      paused = false;
      waiting.splice(0).forEach((give) => give());
    },
    dropping: (which: typeof drop) => (drop = which),
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval'] }));
afterEach(() => void vi.useRealTimers());

test('releases a slot that the primary granted after the process gave up', async () => {
  const { places, pause, resume } = connected();
  pause();
  const asked = [places.hold('a', 2), places.hold('a', 2)].map((one) => one.catch((error: Error) => error));
  await vi.advanceTimersByTimeAsync(4_000);
  for (const one of asked) expect(await one).toMatchObject({ message: 'no answer to hold in time' });
  resume();
  const again = await Promise.all([places.hold('a', 2), places.hold('a', 2), places.hold('a', 2)]);
  expect(again.map((release) => release !== undefined)).toEqual([true, true, false]);
});

test('repairs a lost release within a minute, and keeps a slot in use', async () => {
  const { places, dropping } = connected();
  const [lost, used] = [await places.hold('a', 2), await places.hold('a', 2)];
  dropping((question) => question === 'release');
  lost!();
  dropping(() => false);
  expect(await places.hold('a', 2)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(60_000);
  const again = await places.hold('a', 2);
  expect(again).toBeDefined();
  expect(await places.hold('a', 2)).toBeUndefined();
  used!();
  used!();
  expect(await places.hold('a', 2)).toBeDefined();
  expect(await places.hold('a', 2)).toBeUndefined();
});
