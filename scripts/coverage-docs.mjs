import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments } from '../packages/server/bin/arguments.mjs';

const at = (path) => new URL(`../${path}`, import.meta.url);

export function coverageDocs() {
  const sections = JSON.parse(readFileSync(at('packages/server/test/contract/coverage.json'), 'utf8'));
  const text = sections.map(({ section, intro, rows }) => {
    const lines = Object.entries(rows).map(([row, tests]) => {
      const files = new Set(tests.map((test) => test.slice(0, test.indexOf(': '))));
      return `| ${row} | ${[...files].map((file) => `\`${file}\``).join(', ')} |`;
    });
    return `## ${section}\n\n${intro}\n\n| row | tests |\n| --- | --- |\n${lines.join('\n')}\n`;
  });
  return `# Coverage of the specification\n\nThis page names the test files for each row of the [specification](specification.md). It is generated from
\`packages/server/test/contract/coverage.json\`, which names each test, by \`node scripts/coverage-docs.mjs\`. A test checks that every row and every test exists.\n\n${text.join('\n')}`;
}

if (import.meta.url === new URL(process.argv[1], 'file://').href) {
  readArguments('usage: node scripts/coverage-docs.mjs\n\nWrites docs/coverage.md. Takes no arguments.');
  writeFileSync(at('docs/coverage.md'), coverageDocs());
}
