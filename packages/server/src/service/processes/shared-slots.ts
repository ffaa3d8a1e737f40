import { createKeySlots } from '../../platform/flow/shared-counts.ts';

/** Each process numbers its slots, which are released when the process ends. */
export interface SharedSlots {
  hold(process: number, hold: { id: number; key: string; most: number }): boolean;
  release(process: number, id: number): void;
  keepOnly(process: number, ids: readonly number[]): void;
  ended(process: number): void;
}

export function createSharedSlots(): SharedSlots {
  const slots = createKeySlots();
  const held = new Map<number, Map<number, () => void>>();
  const releaseIf = (process: number, isOver: (id: number) => boolean): void => {
    const own = held.get(process);
    for (const [id, release] of own ?? []) {
      if (!isOver(id)) continue;
      release();
      own!.delete(id);
    }
  };
  return {
    hold(process, { id, key, most }) {
      const release = slots.hold(key, most);
      if (release === undefined) return false;
      held.set(process, (held.get(process) ?? new Map<number, () => void>()).set(id, release));
      return true;
    },
    release: (process, over) => releaseIf(process, (id) => id === over),
    keepOnly(process, ids) {
      const kept = new Set(ids);
      releaseIf(process, (id) => !kept.has(id));
    },
    ended(process) {
      releaseIf(process, () => true);
      held.delete(process);
    },
  };
}
