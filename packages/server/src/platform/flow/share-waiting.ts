import type { Slots } from './slots.ts';

interface Waiting<Result> {
  begun: boolean;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Equal work that waits for a slot runs once, at the first turn of any of its callers. It begins after each of them
 * arrived, so a read sees every acknowledged write.
 */
export function shareWaiting<Result>(slots: Slots) {
  const groups = new Map<string, Set<Waiting<Result>>>();

  const begin = async (name: string, mine: Waiting<Result>, work: () => Promise<Result>): Promise<void> => {
    if (mine.begun) return;
    const group = groups.get(name)!;
    groups.delete(name);
    for (const one of group) one.begun = true;
    try {
      const result = await work();
      for (const { resolve } of group) resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return (name: string, work: () => Promise<Result>, who: string): Promise<Result> =>
    new Promise((resolve, reject) => {
      const mine: Waiting<Result> = { begun: false, resolve, reject };
      const group = groups.get(name) ?? new Set();
      groups.set(name, group.add(mine));
      slots
        .run(() => begin(name, mine, work), who)
        .catch((error: Error) => {
          // The queue dropped this caller.
          if (mine.begun) return;
          group.delete(mine);
          if (group.size === 0) groups.delete(name);
          reject(error);
        });
    });
}
