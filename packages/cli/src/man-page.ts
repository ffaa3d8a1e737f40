// The manual page of a program, as roff, from its table of commands.
import type { Command } from 'commander';

export interface ManPage {
  /** of the manual: 1 for users, 8 for administrators */
  section: 1 | 8;
  /** texts whose first line is the heading */
  topics: Readonly<Record<string, string>>;
  /** the page to see also */
  also: string;
}

/** @returns roff for `man`, which needs no other file */
export function manPage(program: Command, { section, topics, also }: ManPage): string {
  const name = program.name();
  return [
    `.TH ${name.toUpperCase()} ${section} "" "${name} ${program.version()}"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    `.B ${escaped(name)}`,
    '\\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    ...verbatim(moreHelp(program, Object.values(topics))),
    '.SH COMMANDS',
    ...commandsOf(program).flatMap((command) => commandPart(command, Object.values(topics))),
    ...Object.values(topics).flatMap(topicPart),
    '.SH SEE ALSO',
    `.BR ${also.replace('(', ' (')}`,
    '',
  ].join('\n');
}

/** Those that do something, without hidden ones. */
function commandsOf(command: Command): Command[] {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.parent === command);
  return visible.flatMap((child) => (child.commands.length > 0 ? commandsOf(child) : [child]));
}

function commandPart(command: Command, apart: readonly string[]): string[] {
  const help = command.createHelp();
  const described = [
    ...help.visibleArguments(command).map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((one) => [help.optionTerm(one), help.optionDescription(one)]),
  ];
  return [
    `.SS ${escaped(help.commandUsage(command).replace(/^\S+ /, ''))}`,
    paragraph(command.description()),
    ...described.flatMap(([term, about]) => ['.TP', `.B ${escaped(term!)}`, paragraph(about!)]),
    ...verbatim(moreHelp(command, apart)),
  ];
}

function topicPart(topic: string): string[] {
  const [heading, ...rest] = topic.split('\n');
  return [`.SH ${heading!.replace(':', '').toUpperCase()}`, ...verbatim(rest.join('\n'))];
}

/** What the help prints after the options, without the topics. */
function moreHelp(command: Command, apart: readonly string[]): string {
  let text = '';
  const output = command.configureOutput();
  command.configureOutput({ ...output, writeOut: (part) => void (text += part) }).outputHelp();
  command.configureOutput(output);
  const more = text.slice(command.helpInformation().length);
  return apart.reduce((rest, topic) => rest.replace(topic, ''), more);
}

function verbatim(text: string): string[] {
  const trimmed = text.replace(/^\n+|\s+$/g, '').replaceAll(/\n{3,}/g, '\n\n');
  return trimmed === '' ? [] : ['.PP', '.nf', ...trimmed.split('\n').map(line), '.fi'];
}

const paragraph = (text: string): string => line(text.replaceAll('\n', ' '));

/** A point or an apostrophe at the beginning would be a request. */
const line = (text: string): string => (/^[.']/.test(text) ? `\\&${escaped(text)}` : escaped(text));

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
};

const escaped = (text: string): string => text.replaceAll(/[\\\-'`^~"]/g, (character) => ESCAPES[character]!);
