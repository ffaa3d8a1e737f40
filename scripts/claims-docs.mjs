import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments } from '../packages/server/bin/arguments.mjs';

const at = (path) => new URL(`../${path}`, import.meta.url);

const cell = (text = '') => text.replaceAll('|', '\\|');

export function claimsDocs() {
  const sections = JSON.parse(readFileSync(at('packages/verifier/test/claims.json'), 'utf8'));
  const text = sections.map(({ heading, printedBy, rows }) => {
    const lines = rows.map(
      ({ sentence, checked, notChecked }) =>
        `| \`${cell(sentence)}\` | ${cell(checked)} | ${cell(notChecked)} |`,
    );
    return `## ${heading}\n\n${printedBy}\n\n| sentence | checked | not checked |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  return `# What each verdict claims

This page lists each sentence of a verdict, the checks behind the sentence, and what was not checked. \`…\` is a value. It is generated from
\`packages/verifier/test/claims.json\` by \`node scripts/claims-docs.mjs\`. A test compares its sentences with the code.

**No verdict checks** that a text is true; who a person is; the name, handle, etch id, status and \`retracted_at\` in a receipt (each is printed
as not proven); that an author made no other etch (\`svc audit\` checks this); that a text did not exist earlier; that nobody read a sealed text.

${text.join('\n')}`;
}

if (import.meta.url === new URL(process.argv[1], 'file://').href) {
  readArguments('usage: node scripts/claims-docs.mjs\n\nWrites docs/claims.md. Takes no arguments.');
  writeFileSync(at('docs/claims.md'), claimsDocs());
}
