import leven from 'leven';
import type { Environment } from './environment.ts';
import { SETTINGS } from './settings.ts';

export interface Mistyped {
  name: string;
  meant: string;
}

/** Shorter names are too similar to other programs' variables. */
const LEAST_LENGTH = 6;

const KNOWN = Object.entries(SETTINGS).flatMap(([name, { secret }]) =>
  secret ? [name, `${name}_FILE`] : [name],
);

/** Reports without rejecting, because the environment also belongs to other programs. */
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

export function mistypedText({ name, meant }: Mistyped): string {
  return `${name} is no setting and has no effect: did you mean ${meant}?`;
}
