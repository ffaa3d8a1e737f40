// The commands of svc-admin, as tables like those of svc (packages/cli/src/command.ts).
import { commandsFor, type Spec } from '@svc/cli/command';
import type { Admin, Line } from './context.ts';

interface Printed {
  value: object;
  lines: readonly Line[];
  /** ends with status 1 */
  isFault?: boolean;
}

export const { command, group } = commandsFor<Admin, Printed>((admin, _given, { value, lines, isFault }) =>
  admin.print(value, lines, isFault),
);

/** `--name <file...>`; may be repeated. */
export const files = (about: string): Spec<string[], true> => ({ about, fallback: [] });

/** One of these words, which the caller must give. */
export const oneOf = <const Value extends string>(
  choices: readonly Value[],
  about: string,
): Spec<Value, true> => ({ about, choices, mandatory: true });
