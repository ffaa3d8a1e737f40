import { readFile, writeFile } from 'node:fs/promises';
import { readArguments } from '../packages/server/bin/arguments.mjs';

const { GROUPS } = await import('../packages/server/dist/settings/settings.js');
const BEGIN = '<!-- settings -->';
const END = '<!-- /settings -->';

/** @param {string} [page] docs/operating/settings.md */
export function settingsDocs(page) {
  const examples = GROUPS.map(([title, settings]) => [
    `# ${title}`,
    ...Object.entries(settings).map(example),
  ]);
  return {
    example: [
      '# Every setting with its default or an example. Copy to .env and take out the # of what you change.',
      '# A secret may be given as a file instead: X_FILE for X.',
      ...examples.flat().map((line) => `\n${line}`),
      '',
    ].join('\n'),
    page: page?.replace(
      new RegExp(`${BEGIN}[^]*${END}`),
      () => `${BEGIN}\n\n${GROUPS.map(table).join('\n\n')}\n\n${END}`,
    ),
  };
}

function example([name, { default: value, example, meaning, secret }]) {
  return `# ${meaning}${secret ? ' (secret)' : ''}\n#${name}=${example ?? value ?? ''}`;
}

function table([title, settings]) {
  const hasExamples = Object.values(settings).some(({ example }) => example);
  const rows = Object.entries(settings).map(([name, { default: value, example, meaning, secret }]) => [
    `\`${name}\`${secret ? ' (secret)' : ''}`,
    value === undefined ? 'unset' : value === '' ? 'empty' : `\`${value}\``,
    ...(hasExamples ? [`\`${example}\``] : []),
    meaning.replaceAll('|', '\\|'),
  ]);
  const head = ['setting', 'default', ...(hasExamples ? ['example'] : []), 'meaning'];
  return [`## ${title}\n`, row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

const row = (cells) => `| ${cells.join(' | ')} |`;

if (import.meta.url === new URL(process.argv[1], 'file://').href) {
  readArguments(`usage: node scripts/settings-docs.mjs

Writes .env.example and the tables of settings in docs/operating/settings.md. Takes no arguments.`);
  const file = new URL('../docs/operating/settings.md', import.meta.url);
  const { example, page } = settingsDocs(await readFile(file, 'utf8'));
  await writeFile(new URL('../.env.example', import.meta.url), example);
  await writeFile(file, page);
}
