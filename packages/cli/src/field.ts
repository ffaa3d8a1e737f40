import type { Command } from 'commander';
import { type Context, inert, inertJson, inertJsonLine } from './context.ts';
import { usageError } from './exit.ts';

/** `--field` prints one value of the JSON, or one of each item of a list, a line each: a string unquoted. */
export function offerField(program: Command, fields: ReturnType<typeof fieldContext>): void {
  for (const command of program.commands) {
    offerField(command, fields);
    if (!command.options.some(({ long }) => long === '--json')) continue;
    command.option(
      '--field <path>',
      'print only this field of the JSON: etch.id, etches.0.hash; etches.hash prints that of each, a line each',
    );
    command.hook('preAction', (_, chosen) => {
      if (chosen.opts()['field'] === undefined) return;
      fields.hold();
      chosen.setOptionValue('json', true);
    });
    command.hook('postAction', (_, chosen) => {
      const { field } = chosen.opts<{ field?: string }>();
      if (field !== undefined) fields.print(field);
    });
  }
}

export function fieldContext(world: Context) {
  let kept: string | undefined;
  return {
    context: {
      ...world,
      out(text: string): void {
        if (kept === undefined) world.out(text);
        else kept += text;
      },
    },
    hold(): void {
      kept = '';
    },
    print(path: string): void {
      const found = fieldOf(JSON.parse(kept!), path.split('.'), []);
      if (found.values.length === 0 && world.terminal === true) world.note('no results\n');
      const write = found.isMany ? inertJsonLine : inertJson;
      for (const value of found.values)
        world.out(`${typeof value === 'string' ? inert(value) : write(value)}\n`);
    },
  };
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
