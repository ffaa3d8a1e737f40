import { Argument, Command, Option } from 'commander';
import {
  type Context,
  printable,
  printableJson,
  printableJsonLine,
  lines,
  say,
  type Shown,
} from './context.ts';
import { usageError } from './exit.ts';

/** How an option or an argument is read. */
export interface Spec<Value, Always extends boolean> {
  about: string;
  parse?: (value: string, previous: never) => Value;
  choices?: readonly string[];
  fallback?: Value;
  mandatory?: boolean;
  /** for the compiler only: the value exists even if the caller gives none */
  always?: Always;
}

/** By flags, or by the `<name>` of an argument, in the order of the help. A text alone describes a word. */
export type Input = Readonly<Record<string, string | Spec<unknown, boolean>>>;

type WordOf<Key> = Key extends `${infer Word} ${string}` ? Word : Key;
type BareOf<Word> = Word extends `--no-${infer Name}`
  ? Name
  : Word extends `--${infer Name}` | `[${infer Name}...]`
    ? Name
    : Word extends `<${infer Name}>` | `[${infer Name}]`
      ? Name
      : never;
type CamelOf<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelOf<Rest>>}`
  : Name;
type NameOf<Key> = CamelOf<BareOf<WordOf<Key>>>;
type ValueOf<Key, Given> =
  Given extends Spec<infer Value, boolean>
    ? Value
    : Key extends `${string}...]`
      ? string[]
      : Key extends `--${string} <${string}` | `<${string}` | `[${string}`
        ? string
        : boolean;
type AlwaysOf<Key, Given> = Key extends `<${string}` | `${string}...]` | `--no-${string}`
  ? true
  : Given extends { always?: true }
    ? true
    : false;

/** The values that `run` receives, by the names of arguments and options. */
export type InputOf<Table> = {
  [Key in keyof Table as AlwaysOf<Key, Table[Key]> extends true ? NameOf<Key> : never]: ValueOf<
    Key,
    Table[Key]
  >;
} & {
  [Key in keyof Table as AlwaysOf<Key, Table[Key]> extends true ? never : NameOf<Key>]?: ValueOf<
    Key,
    Table[Key]
  >;
};

export const flag = (about: string): Spec<boolean, true> => ({ about, fallback: false });
export const word = (about: string, fallback: string): Spec<string, true> => ({ about, fallback });
export const asIs = (value: string): string => value;
/** Without it the command fails. */
export const needed = <Value>(parse: (value: string) => Value, about: string): Spec<Value, true> => ({
  about,
  parse,
  mandatory: true,
});
export const read = <Value>(parse: (value: string) => Value, about: string): Spec<Value, false> => ({
  about,
  parse,
});
export const choice = <const Value extends string>(
  choices: readonly Value[],
  about: string,
): Spec<Value, false> => ({ about, choices });
/** May be repeated. */
export const many = (about: string, parse = asIs): Spec<string[], true> => ({
  about,
  parse: (value: string, previous: string[]) => [...previous, parse(value)],
  fallback: [],
});
export const otherwise = <Value>(fallback: Value, spec: Spec<Value, false>): Spec<Value, true> => ({
  ...spec,
  always: true,
  fallback,
});

/** The name by which `run` receives an option. */
export const keyOf = (flags: string): string => new Option(flags).attributeName();

/** The options of a table as if the caller gave none. */
export const defaultsOf = <Table extends Input>(table: Table): InputOf<Table> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([flags, spec]) =>
      typeof spec === 'string' || spec.fallback === undefined ? [] : [[keyOf(flags), spec.fallback]],
    ),
  ) as InputOf<Table>;

export interface Definition<Table extends Input, ProgramContext, Result> {
  input: Table;
  examples?: readonly string[];
  /** printed before and after the examples */
  above?: string;
  below?: string;
  /** Returns what to print, unless it prints by itself. */
  run(given: InputOf<Table>, context: ProgramContext): Result | void | Promise<Result | void>;
}

type Help = Partial<Pick<Definition<Input, never, never>, 'above' | 'examples' | 'below'>>;

export type Maker<ProgramContext> = (context: ProgramContext) => Command;

/** The commands of a program: its context, and how it prints what a command returns. */
export function commandsFor<ProgramContext, Result>(
  print: (context: ProgramContext, given: OutputOptions, result: Result) => void,
) {
  const command =
    <Table extends Input>(
      name: string,
      about: string,
      definition: Definition<Table, ProgramContext, Result>,
    ): Maker<ProgramContext> =>
    (context) => {
      const made = withHelp(new Command(name).description(about), definition);
      for (const [key, given] of Object.entries(definition.input)) {
        const spec: Spec<unknown, boolean> = typeof given === 'string' ? { about: given } : given;
        if (key.startsWith('-')) made.addOption(formed(new Option(key, spec.about), spec));
        else made.addArgument(formed(new Argument(key, spec.about), spec));
      }
      if ('--json' in definition.input) made.option(...FIELD);
      return made.action(async (...values: unknown[]) => {
        const named = made.registeredArguments.map((one, at) => [one.name(), values[at]] as const);
        const given = { ...Object.fromEntries(named), ...made.opts<OutputOptions>() };
        if (given.field !== undefined) given.json = true;
        const result = await definition.run(given as unknown as InputOf<Table>, context);
        if (result !== undefined) print(context, given, result);
      });
    };

  const group =
    (
      name: string,
      about: string,
      makers: readonly Maker<ProgramContext>[],
      examples?: readonly string[],
    ): Maker<ProgramContext> =>
    (context) => {
      const made = withHelp(new Command(name).description(about), { ...(examples && { examples }) });
      for (const make of makers) made.addCommand(make(context));
      return made;
    };

  return { command, group };
}

function withHelp(made: Command, { above, examples, below }: Help): Command {
  const listed = examples && `\nExamples:\n${examples.map((example) => `  $ ${example}\n`).join('')}`;
  for (const text of [above, listed, below]) if (text !== undefined) made.addHelpText('after', text);
  return made;
}

function formed<Form extends Option | Argument>(form: Form, spec: Spec<unknown, boolean>): Form {
  const { parse, choices, fallback, mandatory } = spec;
  if (choices !== undefined) form.choices(choices);
  if (parse !== undefined) form.argParser(parse as (value: string) => unknown);
  if (fallback !== undefined) form.default(fallback);
  if (mandatory === true && form instanceof Option) form.makeOptionMandatory();
  return form;
}

interface OutputOptions {
  json?: boolean;
  field?: string;
}

export function answer(
  context: Context,
  { json, field }: OutputOptions,
  { value, words, none, status }: Shown,
): void {
  if (field !== undefined) printField(field, value, context);
  else context.out(json === true || words === undefined ? `${printableJson(value)}\n` : lines(...words));
  if (none !== undefined && words?.length === 0 && json !== true && context.terminal === true)
    say(context, none);
  if (status !== undefined) context.finish(status);
}

export const { command, group } = commandsFor<Context, Shown>(answer);

const FIELD = [
  '--field <path>',
  'print only this field of the JSON: etch.id, etches.0.hash; etches.hash prints that of each, a line each',
] as const;

/** Prints one value of the JSON, or one of each item of a list, a line each: a string unquoted. */
function printField(path: string, value: unknown, context: Context): void {
  const json: unknown = JSON.parse(JSON.stringify(value));
  const found = fieldOf(json, path.split('.'), []);
  if (found.values.length === 0 && context.terminal === true) context.note('no results\n');
  const write = found.isMany ? printableJsonLine : printableJson;
  for (const one of found.values) context.out(`${typeof one === 'string' ? printable(one) : write(one)}\n`);
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
