import type { Command } from 'commander';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './exit.ts';
import { inert, inertJson } from './inert.ts';

/**
 * `--field` prints one value of the JSON: a string unquoted.
 * @param program its commands must use the context of `fieldContext`
 */
export function offerField(program: Command, fields: FieldContext): void {
  for (const command of program.commands) {
    offerField(command, fields);
    if (!command.options.some(({ long }) => long === '--json')) continue;
    command.option('--field <path>', 'print only this field of the JSON: etch.id, etches.0.hash');
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

interface FieldContext {
  context: Context;
  /** Holds the output from now on. */
  hold(): void;
  /** One field of the buffered output. @throws {CommandError} when there is none */
  print(path: string): void;
}

export function fieldContext(world: Context): FieldContext {
  let kept: string | undefined;
  return {
    context: {
      ...world,
      out(text) {
        if (kept === undefined) world.out(text);
        else kept += text;
      },
    },
    hold() {
      kept = '';
    },
    print(path) {
      const value = fieldOf(JSON.parse(kept!), path);
      world.out(`${typeof value === 'string' ? inert(value) : inertJson(value)}\n`);
    },
  };
}

/** @param path names and indexes, separated by dots @throws {CommandError} which lists the fields */
function fieldOf(value: unknown, path: string): unknown {
  let found = value;
  for (const [at, name] of path.split('.').entries()) {
    const names = typeof found === 'object' && found !== null ? Object.keys(found) : [];
    if (!names.includes(name)) {
      const where = at === 0 ? 'the result' : path.split('.').slice(0, at).join('.');
      throw new CommandError(
        EXIT.usage,
        `${where} has no field ${name}${names.length === 0 ? '' : `; it has ${names.join(', ')}`}`,
      );
    }
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
