// Writes .env.example and the table of settings in docs/operating/settings.md from settings.ts.
import { readFile, writeFile } from 'node:fs/promises';
import { readArguments } from '../packages/server/bin/arguments.mjs';

const { SETTINGS } = await import('../packages/server/dist/settings/settings.js');
const BEGIN = '<!-- settings -->';
const END = '<!-- /settings -->';

/** @param {string} [page] the text of docs/operating/settings.md */
export function settingsDocs(page) {
  const entries = Object.entries(SETTINGS);
  const example = [
    '# Every setting with its default. Copy to .env and take out the # of what you change.',
    '# A secret may be given as a file instead: X_FILE for X.',
    ...entries.map(([name, { default: value, meaning, secret }]) =>
      ['', `# ${meaning}${secret ? ' (secret)' : ''}`, `#${name}=${value ?? ''}`].join('\n'),
    ),
    '',
  ].join('\n');
  const rows = entries.map(([name, { default: value, meaning, secret }]) => {
    const shown = value === undefined ? 'unset' : value === '' ? 'empty' : `\`${value}\``;
    return `| \`${name}\`${secret ? ' (secret)' : ''} | ${shown} | ${meaning.replaceAll('|', '\\|')} |`;
  });
  const table = ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return {
    example,
    page: page?.replace(new RegExp(`${BEGIN}[^]*${END}`), () => `${BEGIN}\n\n${table}\n\n${END}`),
  };
}

if (import.meta.url === new URL(process.argv[1], 'file://').href) {
  readArguments(`usage: node scripts/settings-docs.mjs

Writes .env.example and the table of settings in docs/operating/settings.md. Takes no arguments.`);
  const file = new URL('../docs/operating/settings.md', import.meta.url);
  const { example, page } = settingsDocs(await readFile(file, 'utf8'));
  await writeFile(new URL('../.env.example', import.meta.url), example);
  await writeFile(file, page);
}
