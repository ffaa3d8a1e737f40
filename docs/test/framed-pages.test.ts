import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = join(root, 'packages/server/src/http/pages');

test('threat-model.md names each page that other sites may frame', () => {
  const routes = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => readFileSync(join(pages, name), 'utf8').split(/(?=\bapp\.get)/))
    .filter((route) => route.includes('embedPolicy(files)'))
    .map((route) => /^app\.get(?:<[^(]*>)?\('([^']+)'/.exec(route)![1]!.replaceAll(/:(\w+)/g, '<$1>'));
  expect(routes.length).toBeGreaterThan(0);
  const line = /^- \*\*A site that frames the service.*$/m.exec(
    readFileSync(join(root, 'docs/threat-model.md'), 'utf8'),
  )![0];
  expect([...line.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path).sort()).toEqual(routes.sort());
});
