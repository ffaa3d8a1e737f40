import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { EVENTS } from '../packages/contract/dist/index.js';
import { GROUPS } from '../packages/server/dist/settings/settings.js';
import { call, readJson } from './prerequisites/run.mjs';

const at = (path) => new URL(`../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), 'utf8');
const row = (cells) => `| ${cells.join(' | ')} |\n`;
const escaped = (cells) => cells.map((cell = '') => cell.replaceAll('|', '\\|'));
const table = (head, rows) => [head, head.map(() => '---'), ...rows.map(escaped)].map(row).join('');

/** @returns the text of each generated page */
export const generatedDocs = () => ({
  'docs/claims.md': claims(),
  'docs/coverage.md': coverage(),
  'docs/operating/settings.md': settings(),
  'docs/webhooks.md': webhooks(),
  'docs/operating/settings.schema.json': settingsSchema(),
  '.env.example': exampleSettings(),
});

function claims() {
  const sections = readJson('packages/verifier/test/claims.json').map(({ heading, printedBy, rows }) => {
    const cells = rows.map(({ sentence, checked, notChecked }) => [`\`${sentence}\``, checked, notChecked]);
    return `## ${heading}\n\n${printedBy}\n\n${table(['sentence', 'checked', 'not checked'], cells)}`;
  });
  return `# What each verdict claims

This page lists each sentence of a verdict, the checks behind the sentence, and what was not checked. \`…\` is a value. It is generated from
\`packages/verifier/test/claims.json\` by \`node scripts/docs.mjs\`. A test compares its sentences with the code.

**No verdict checks** that a text is true; who a person is; the name, handle, etch id, status and \`retracted_at\` in a receipt (each is printed
as not proven); that an author made no other etch (\`svc audit\` checks this); that a text did not exist earlier; that nobody read a sealed text.

${sections.join('\n')}`;
}

function coverage() {
  const sections = readJson('packages/server/test/contract/coverage.json').map(({ section, intro, rows }) => {
    const cells = Object.entries(rows).map(([row, tests]) => {
      const files = new Set(tests.map((test) => `\`${test.slice(0, test.indexOf(': '))}\``));
      return [row, [...files].join(', ')];
    });
    return `## ${section}\n\n${intro}\n\n${table(['row', 'tests'], cells)}`;
  });
  return `# Coverage of the specification

This page names the test files for each row of the [specification](specification.md). It is generated from
\`packages/server/test/contract/coverage.json\`, which names each test, by \`node scripts/docs.mjs\`. A test checks that every row and every test exists.

${sections.join('\n')}`;
}

function settings() {
  const sections = GROUPS.map(([title, group]) => {
    const hasExamples = Object.values(group).some(({ example }) => example);
    const cells = Object.entries(group).map(([name, { default: value, example, meaning, secret }]) => [
      `\`${name}\`${secret ? ' (secret)' : ''}`,
      value === undefined ? 'unset' : value === '' ? 'empty' : `\`${value}\``,
      ...(hasExamples ? [`\`${example}\``] : []),
      meaning,
    ]);
    const head = ['setting', 'default', ...(hasExamples ? ['example'] : []), 'meaning'];
    return `## ${title}\n\n${table(head, cells)}`;
  });
  return marked('docs/operating/settings.md', 'settings', sections.join('\n'));
}

function webhooks() {
  const rows = Object.entries(EVENTS).map(([type, { schema }]) => [
    `\`${type}\``,
    schema.description,
    `\`{ ${Object.keys(schema.properties.data.properties).join(', ')} }\``,
  ]);
  return marked('docs/webhooks.md', 'events', table(['type', 'when', '`data`'], rows));
}

const marked = (path, name, text) =>
  read(path).replace(
    new RegExp(`(<!-- ${name} -->\\n\\n)[^]*(<!-- /${name} -->)`),
    (_, begin, end) => `${begin}${text}\n${end}`,
  );

function settingsSchema() {
  const scalar = { type: ['string', 'number', 'boolean'] };
  const properties = GROUPS.flatMap(([, group]) =>
    Object.entries(group).flatMap(
      ([
        name,
        {
          default: value,
          example,
          meaning,
          secret,
          read: { schema },
        },
      ]) => {
        const { enum: values, ...bounds } = schema ?? {};
        const isFlag = values?.join() === 'true,false';
        const described = {
          description: meaning,
          ...(values === undefined ? scalar : { enum: isFlag ? [...values, true, false] : values }),
          ...bounds,
          ...(value ? { default: value } : {}),
          ...(example ? { examples: [example] } : {}),
        };
        const file = { description: `path of a file with ${name}`, type: 'string' };
        return [[name, described], ...(secret ? [[`${name}_FILE`, file]] : [])];
      },
    ),
  );
  return `${JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of the Commitment Service',
    description:
      'The names and values of .env, of a ConfigMap or of an environment in YAML. Other variables may exist.',
    type: 'object',
    properties: Object.fromEntries(properties),
  })}\n`;
}

const exampleSettings =
  () => `# Every setting with its default or an example. Copy to .env and take out the # of what you change.
# A secret may be given as a file instead: X_FILE for X.
${GROUPS.map(([title, group]) => `\n# ${title}\n${Object.entries(group).map(exampleSetting).join('')}`).join('')}`;

const exampleSetting = ([name, { default: value, example, meaning, secret }]) =>
  `\n# ${meaning}${secret ? ' (secret)' : ''}\n#${name}=${example ?? value ?? ''}\n`;

if (import.meta.url === new URL(process.argv[1], 'file://').href) {
  readArguments(`usage: node scripts/docs.mjs

Writes .env.example and the generated pages of docs. Needs a build. Takes no arguments.`);
  const pages = generatedDocs();
  for (const [path, text] of Object.entries(pages)) writeFileSync(at(path), text);
  const formatted = Object.keys(pages).filter((path) => /\.(?:md|json)$/.test(path));
  await call(process.execPath, ['node_modules/oxfmt/bin/oxfmt', ...formatted]);
}
