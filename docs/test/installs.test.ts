import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const SHOWN = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'action', 'packages'];
const READ = /\.(?:md|tsx?|mjs|yml|sh)$/;
const APART = /(?:^|\/)(?:node_modules|dist|test)(?:\/|$)/;
const COMMAND = /\b(npm (?:install|i|exec|x)|npx)((?: +-[\w=-]+)*) +(?!-)("?[^\s`'")]+)/g;

function texts(): string[] {
  return SHOWN.flatMap((name) =>
    READ.test(name)
      ? [name]
      : readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
          .filter((path) => READ.test(path) && !APART.test(path))
          .map((path) => `${name}/${path}`),
  );
}

/** A url, a file, a variable, or an installed program. */
function isOurs(command: string, flags: string, what: string, tools: ReadonlySet<string>): boolean {
  if (/^(?:https?:|\.|\/|<|"?\$)/.test(what)) return true;
  return command === 'npx' && (flags.split(' ').includes('--no') || tools.has(what));
}

test('no page installs a package that this project does not pin', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const tools = new Set(Object.keys(devDependencies));
  const found = texts().flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(COMMAND)]
      .filter(([, command, flags, what]) => !isOurs(command!, flags!, what!, tools))
      .map(([text]) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});
