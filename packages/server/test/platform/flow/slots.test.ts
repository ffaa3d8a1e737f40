// Runs without a database.
import { describe, expect, test } from 'vitest';
import { createSlots } from '../../../src/platform/flow/slots.ts';

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
      });
    const taken = [work(), work(), work(), work()];
    await expect(work()).rejects.toMatchObject({ code: 'service_unavailable' });
    while (release.length > 0) {
      release.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(taken);
    expect(most).toBe(2);
    await expect(slots.run(async () => 'free again')).resolves.toBe('free again');
  });

  test('failed work frees its slot; a caller that waits too long takes none', async () => {
    const slots = createSlots({ slots: 1, queue: 5, patience: 20, what: 'searches' });
    await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    let finish = (): void => {};
    const long = slots.run(() => new Promise<void>((resolve) => (finish = resolve)));
    await expect(slots.run(async () => 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    finish();
    await long;
    expect(await slots.run(async () => 2)).toBe(2);
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
    const endOne = async (): Promise<void> => {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { ask, entered, endOne, settled: () => new Promise((resolve) => setImmediate(resolve)) };
  }

  test('one caller cannot use all slots: another enters at once', async () => {
    const { ask, entered, settled } = observed({ slots: 3, share: 2, queue: 10 });
    for (let i = 0; i < 5; i++) void ask('storm');
    void ask('other');
    await settled();
    expect(entered).toEqual(['storm', 'storm', 'other']);
  });

  test('callers take turns, even if one has many entries', async () => {
    const { ask, entered, endOne, settled } = observed({ slots: 2, share: 2, queue: 10 });
    for (const who of ['storm', 'storm', 'storm', 'storm', 'second', 'third']) void ask(who);
    await settled();
    for (let i = 0; i < 4; i++) await endOne();
    expect(entered).toEqual(['storm', 'storm', 'second', 'third', 'storm', 'storm']);
  });

  test('a full queue drops entries of the caller with most, and rejects its new ones', async () => {
    const { ask, entered, endOne } = observed({ slots: 1, share: 1, queue: 3 });
    const storm = Array.from({ length: 4 }, () => ask('storm'));
    const other = ask('other');
    await expect(storm[3]).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(ask('storm')).rejects.toMatchObject({ code: 'service_unavailable' });
    for (let i = 0; i < 4; i++) await endOne();
    await other;
    expect(entered).toEqual(['storm', 'other', 'storm', 'storm']);
  });

  test('rejects callers with equally many entries in order of arrival', async () => {
    const { ask } = observed({ slots: 1, share: 1, queue: 2 });
    for (const who of ['a', 'b', 'c']) void ask(who);
    await expect(ask('d')).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
