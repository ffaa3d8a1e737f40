// Runs without a database.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createActivity } from '../../../src/platform/flow/activity.ts';

// Fake timers do not change Node's promised timers: the rests below are real, and short or ended by the test.
const never = new AbortController().signal;

describe('a service that may rest', () => {
  let now = 0;
  beforeEach(() => void (now = 0));

  test('waits the requested time while requests arrive', async () => {
    const activity = createActivity(true, () => now);
    now = 9_999;
    await activity.rest(1, never);
  });

  test('rests until the next request after ten seconds without one', async () => {
    const activity = createActivity(true, () => now);
    now = 10_000;
    const woken = vi.fn();
    const rest = activity.rest(1, never).then(woken);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(woken).not.toHaveBeenCalled();
    activity.touch();
    await rest;
    expect(activity.quietFor()).toBe(0);
  });

  test('ends each rest at the next request, again after the first', async () => {
    const activity = createActivity(true, () => now);
    for (now = 10_000; now < 40_000; now += 10_000) {
      const rests = [activity.rest(1, never), activity.rest(1, never)];
      activity.touch();
      await Promise.all(rests);
    }
  });

  test('stops a rest at once when it stops', async () => {
    const activity = createActivity(true, () => now);
    now = 60_000;
    const stopped = new AbortController();
    const rest = activity.rest(1, stopped.signal);
    stopped.abort();
    await rest;
  });
});

test('a service that shares its database never rests longer than requested', async () => {
  await createActivity(false, () => 3_600_000).rest(1, never);
});
