import { type Context, inert, inertJson, inertJsonLine } from './context.ts';
import { usageError } from './exit.ts';

export const FIELD = [
  '--field <path>',
  'print only this field of the JSON: etch.id, etches.0.hash; etches.hash prints that of each, a line each',
] as const;

/** Prints one value of the JSON, or one of each item of a list, a line each: a string unquoted. */
export function printField(path: string, value: unknown, context: Context): void {
  const json: unknown = JSON.parse(JSON.stringify(value));
  const found = fieldOf(json, path.split('.'), []);
  if (found.values.length === 0 && context.terminal === true) context.note('no results\n');
  const write = found.isMany ? inertJsonLine : inertJson;
  for (const one of found.values) context.out(`${typeof one === 'string' ? inert(one) : write(one)}\n`);
}

function fieldOf(
  value: unknown,
  [name, ...rest]: readonly string[],
  before: readonly string[],
): { values: unknown[]; isMany: boolean } {
  if (name === undefined) return { values: [value], isMany: false };
  if (Array.isArray(value) && !/^\d+$/.test(name)) {
    const found = value.flatMap((item) => fieldOf(item, [name, ...rest], before).values);
    return { values: found, isMany: true };
  }
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (!names.includes(name))
    throw usageError(
      `${before.join('.') || 'the result'} has no field ${name}${names.length === 0 ? '' : `; it has ${names.join(', ')}`}`,
    );
  return fieldOf((value as Record<string, unknown>)[name], rest, [...before, name]);
}
