import leven from 'leven';
import type { Environment } from './environment.ts';
import { SETTINGS } from './settings.ts';

/** A name in the environment that is no setting, and the setting that it was probably meant to be. */
export interface Mistyped {
  name: string;
  meant: string;
}

/** Shorter names are near to too much that other programs are told by. */
const LEAST_LENGTH = 6;

const KNOWN = Object.entries(SETTINGS).flatMap(([name, { secret }]) =>
  secret ? [name, `${name}_FILE`] : [name],
);

/**
 * Names that nothing reads and that are nearly a setting's. They are told, and not refused: the environment belongs to
 * other programs too.
 */
export function mistypedSettings(environment: Environment): Mistyped[] {
  const known = new Set(KNOWN);
  return Object.keys(environment)
    .filter((name) => name.length >= LEAST_LENGTH && environment[name] && !known.has(name))
    .flatMap((name) => {
      const [nearest] = KNOWN.map((meant) => ({ name, meant, far: leven(name.toUpperCase(), meant) })).sort(
        (a, b) => a.far - b.far,
      );
      return nearest!.far <= (name.length < 12 ? 1 : 2) ? [{ name, meant: nearest!.meant }] : [];
    });
}

/** The sentence about it, without its value. */
export function mistypedText({ name, meant }: Mistyped): string {
  return `${name} is no setting, and nothing reads it: is ${meant} meant?`;
}
