import { listOperations } from '@svc/sdk';
import type { Argument, Command, Option } from 'commander';
import { profilesPath, readProfiles } from './profiles.ts';

interface Offer {
  words: readonly { word: string; about?: string }[];
  files: boolean;
}

const NOTHING: Offer = { words: [], files: false };
const FILES: Offer = { words: [], files: true };

export function complete(program: Command, typed: readonly string[], env: NodeJS.ProcessEnv): Offer {
  // bash splits words at `=`.
  const last = typed.at(-1) ?? '';
  const current = last === '=' ? '' : last;
  const place = walk(program, typed.slice(0, -1));
  if (place === undefined) return NOTHING;
  const { command, waiting, operands, isText } = place;
  if (waiting !== undefined) return startingWith(current, valuesOf(waiting, env));
  if (!isText && current.startsWith('-')) {
    const [name, value] = current.split(/=(.*)/s);
    const option = value === undefined ? undefined : optionOf(command, name!);
    if (option === undefined) return startingWith(current, optionsOf(command));
    const { words, files } = startingWith(value!, valuesOf(option, env));
    return { words: words.map(({ word }) => ({ word: `${name}=${word}` })), files };
  }
  if (command.commands.length > 0) return startingWith(current, childrenOf(command));
  const { registeredArguments } = command;
  const argument = registeredArguments[operands.length] ?? registeredArguments.at(-1);
  const isOver = operands.length >= registeredArguments.length && argument?.variadic !== true;
  return argument === undefined || isOver
    ? NOTHING
    : startingWith(current, operandsOf(command, argument, operands, env));
}

interface Place {
  command: Command;
  waiting: Option | undefined;
  operands: readonly string[];
  isText: boolean;
}

function walk(program: Command, before: readonly string[]): Place | undefined {
  let command = program;
  let waiting: Option | undefined;
  const operands: string[] = [];
  for (const [at, word] of before.entries()) {
    if (waiting !== undefined) waiting = word === '=' ? waiting : undefined;
    else if (word === '--') {
      operands.push(...before.slice(at + 1));
      return { command, waiting, operands, isText: true };
    } else if (word.startsWith('-') && word !== '-') {
      const option = word.includes('=') ? undefined : optionOf(command, word);
      waiting = option?.required === true ? option : undefined;
    } else {
      const child = command.commands.find((one) => one.name() === word);
      if (child !== undefined) command = child;
      else if (command.commands.length > 0 && word !== 'help') return undefined;
      else if (word !== 'help') operands.push(word);
    }
  }
  return { command, waiting, operands, isText: false };
}

const optionOf = (command: Command, flag: string): Option | undefined =>
  command.options.find(({ long, short }) => long === flag || short === flag);

const optionsOf = (command: Command): Offer => {
  const named = command.options.filter(({ long }) => long != null);
  const words = named.map(({ long, description }) => ({ word: long!, about: description }));
  return { words: [...words, { word: '--help', about: 'display help for command' }], files: false };
};

const childrenOf = (command: Command): Offer => {
  const children = command.createHelp().visibleCommands(command);
  const words = children.map((child) => ({ word: child.name(), about: child.description() }));
  return { words, files: false };
};

const A_FILE = /file|path|folder|manifest|receipt/;

function valuesOf({ argChoices, long, flags }: Option, env: NodeJS.ProcessEnv): Offer {
  if (argChoices !== undefined) return ofWords(argChoices);
  if (long === '--profile') return ofWords(profileNames(env));
  return A_FILE.test(flags.replace(/^\S+/, '')) ? FILES : NOTHING;
}

function operandsOf(
  command: Command,
  argument: Argument,
  operands: readonly string[],
  env: NodeJS.ProcessEnv,
): Offer {
  const name = argument.name();
  if (argument.argChoices !== undefined) return ofWords(argument.argChoices);
  if (command.parent?.name() === 'profile') return ofWords(profileNames(env));
  if (command.name() === 'api')
    return name === 'method' ? ofWords(methods()) : ofWords(paths(operands[0] ?? ''));
  return A_FILE.test(name) || A_FILE.test(argument.description) ? FILES : NOTHING;
}

const ofWords = (words: readonly string[]): Offer => ({
  words: words.map((word) => ({ word })),
  files: false,
});

const methods = (): string[] => [...new Set(listOperations().map(({ method }) => method))];

function paths(method: string): string[] {
  const found = listOperations().filter((operation) => operation.method === method.toUpperCase());
  return [...new Set(found.map(({ path }) => path.replace('/api/v1', '')))];
}

function profileNames(env: NodeJS.ProcessEnv): string[] {
  try {
    return Object.keys(readProfiles(profilesPath(env)).profiles);
  } catch {
    return [];
  }
}

function startingWith(current: string, { words, files }: Offer): Offer {
  const done = current.slice(0, current.lastIndexOf(',') + 1);
  const begun = current.slice(done.length);
  return {
    words: words
      .filter(({ word }) => word.startsWith(begun))
      .map(({ word, ...more }) => ({ word: done + word, ...more })),
    files,
  };
}
