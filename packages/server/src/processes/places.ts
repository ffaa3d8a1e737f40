import { createPlaces } from '../flow/places.ts';

/** Places that all processes share; those of a process that ended are free again. */
export interface SharedPlaces {
  hold(process: number, key: string, most: number): boolean;
  release(process: number, key: string): void;
  ended(process: number): void;
}

export function createSharedPlaces(): SharedPlaces {
  const places = createPlaces();
  const held = new Map<number, string[]>();
  const heldBy = (process: number): string[] => {
    const keys = held.get(process) ?? [];
    held.set(process, keys);
    return keys;
  };
  return {
    hold(process, key, most) {
      if (!places.hold(key, most)) return false;
      heldBy(process).push(key);
      return true;
    },
    release(process, key) {
      const keys = heldBy(process);
      const index = keys.indexOf(key);
      if (index === -1) return;
      keys.splice(index, 1);
      places.release(key);
    },
    ended(process) {
      heldBy(process).forEach((key) => places.release(key));
      held.delete(process);
    },
  };
}
