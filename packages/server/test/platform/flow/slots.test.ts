// Runs without a database.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shareWaiting } from '../../../src/platform/flow/share-waiting.ts';
import { createSlots } from '../../../src/platform/flow/slots.ts';

const full = { code: 'service_unavailable' };

describe('slots', () => {
  test('runs a few at once, queues a few, and rejects the others', async () => {
    const slots = createSlots({ slots: 2, queue: 2, patience: 60_000, what: 'searches' });
    const release: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const work = () =>
      slots.run(async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => release.push(resolve));
        running--;
      }, 'ada');
    const taken = [work(), work(), work(), work()];
    await expect(work()).rejects.toMatchObject(full);
    while (release.length > 0) {
      release.shift()!();
      await turn();
    }
    await Promise.all(taken);
    expect(most).toBe(2);
    await expect(slots.run(async () => 'free again', 'ada')).resolves.toBe('free again');
  });

  test('failed work frees its slot; a caller that waits too long takes none', async () => {
    const slots = createSlots({ slots: 1, queue: 5, patience: 20, what: 'searches' });
    await expect(slots.run(() => Promise.reject(new Error('no')), 'ada')).rejects.toThrow('no');
    let finish = (): void => {};
    const long = slots.run(() => new Promise<void>((resolve) => (finish = resolve)), 'ada');
    await expect(slots.run(async () => 1, 'ada')).rejects.toMatchObject(full);
    finish();
    await long;
    expect(await slots.run(async () => 2, 'ada')).toBe(2);
  });
});

describe('slots of several callers', () => {
  function observed(options: { slots: number; share: number; queue: number }) {
    const slots = createSlots({ ...options, patience: 60_000, what: 'searches' });
    const entered: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (who: string): Promise<void> => {
      const done = slots.run(() => {
        entered.push(who);
        return new Promise<void>((resolve) => ends.push(resolve));
      }, who);
      done.catch(() => {});
      return done;
    };
    const endSome = async (count: number): Promise<void> => {
      for (let ended = 0; ended < count; ended++) {
        ends.shift()!();
        await turn();
      }
    };
    return { ask, entered, endSome };
  }

  test('one caller cannot use all slots: another enters at once', async () => {
    const { ask, entered } = observed({ slots: 3, share: 2, queue: 10 });
    for (const who of [...Array<string>(5).fill('storm'), 'other']) void ask(who);
    await turn();
    expect(entered).toEqual(['storm', 'storm', 'other']);
  });

  test('callers take turns, even if one has many entries', async () => {
    const { ask, entered, endSome } = observed({ slots: 2, share: 2, queue: 10 });
    for (const who of [...Array<string>(4).fill('storm'), 'second', 'third']) void ask(who);
    await turn();
    await endSome(4);
    expect(entered).toEqual(['storm', 'storm', 'second', 'third', 'storm', 'storm']);
  });

  test('a full queue drops entries of the caller with most, and rejects its new ones', async () => {
    const { ask, entered, endSome } = observed({ slots: 1, share: 1, queue: 3 });
    const storm = Array.from({ length: 4 }, () => ask('storm'));
    const other = ask('other');
    for (const refused of [storm[3], ask('storm')]) await expect(refused).rejects.toMatchObject(full);
    await endSome(4);
    await other;
    expect(entered).toEqual(['storm', 'other', 'storm', 'storm']);
  });

  test('rejects callers with equally many entries in order of arrival', async () => {
    const { ask } = observed({ slots: 1, share: 1, queue: 2 });
    for (const who of ['a', 'b', 'c']) void ask(who);
    await expect(ask('d')).rejects.toMatchObject(full);
  });
});

describe('equal work that waits', () => {
  test('runs once for all callers, at the earliest turn of any of them, after each arrived', async () => {
    const slots = createSlots({ slots: 1, queue: 10, patience: 60_000, what: 'scores' });
    const shared = shareWaiting<number>(slots);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (name: string, who: string): Promise<number> =>
      shared(
        name,
        async () => {
          const count = begun.push(name);
          await new Promise<void>((resolve) => ends.push(resolve));
          return count;
        },
        who,
      );
    const all = [ask('a', 'storm'), ask('b', 'storm'), ask('c', 'storm'), ask('c', 'ada'), ask('c', 'ada')];
    await turn();
    // The computation of "a" has begun, so it may miss a later write.
    all.push(ask('a', 'bea'));
    for (let ended = 0; ended < 4; ended++) {
      ends.shift()!();
      await turn();
    }
    expect(await Promise.all(all)).toEqual([1, 4, 2, 2, 2, 3]);
    expect(begun).toEqual(['a', 'c', 'a', 'b']);
  });

  test('fails for all its callers, but a dropped caller affects no other', async () => {
    const slots = createSlots({ slots: 1, queue: 2, patience: 60_000, what: 'scores' });
    const shared = shareWaiting<string>(slots);
    let end = (): void => {};
    const long = slots.run(() => new Promise<void>((resolve) => (end = resolve)), 'storm');
    const work = async (): Promise<string> => 'done';
    const callers = ['storm', 'storm', 'ada'];
    const settled = Promise.allSettled(callers.map((who) => shared('a', work, who)));
    await turn();
    end();
    await long;
    const results = await settled;
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const failing = async (): Promise<string> => Promise.reject(new Error('no'));
    const failed = await Promise.allSettled([shared('b', failing, 'ada'), shared('b', failing, 'bea')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared('b', work, 'ada')).toBe('done');
  });
});
