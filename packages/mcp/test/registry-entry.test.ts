// Rules of the schema of 2025-12-11 and of the registry that publishes entries.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from '../../../testing/repository.ts';

interface Variable {
  name: string;
  description: string;
  format?: string;
  isSecret?: boolean;
}

const entry: any = JSON.parse(read('packages/mcp/server.json'));
const manifest: any = JSON.parse(read('packages/mcp/package.json'));
const [listed, ...more] = entry.packages;
const variables: Variable[] = listed.environmentVariables;

test('the entry has the fields of the schema, in its limits', () => {
  expect(entry.$schema).toBe('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(entry.title.length).toBeLessThanOrEqual(100);
  expect(Object.keys(entry).sort()).toEqual(
    ['$schema', 'description', 'name', 'packages', 'title', 'version'].sort(),
  );
  expect(more).toEqual([]);
  expect(listed).toMatchObject({ registryType: 'npm', transport: { type: 'stdio' } });
  const known = ['name', 'description', 'isRequired', 'isSecret', 'format', 'default', 'placeholder'];
  for (const variable of variables) {
    expect(known, variable.name).toEqual(expect.arrayContaining(Object.keys(variable)));
    expect(['string', 'number', 'boolean', 'filepath', undefined], variable.name).toContain(variable.format);
  }
});

test('the entry has the name and the version of the package, which proves that both have one owner', () => {
  expect({ identifier: listed.identifier, name: entry.name }).toEqual({
    identifier: manifest.name,
    name: manifest.mcpName,
  });
  expect([entry.version, listed.version]).toEqual([manifest.version, manifest.version]);
});

test('the entry lists each variable that the program reads, and marks the secrets', () => {
  const folder = join(import.meta.dirname, '../src');
  const sources = readdirSync(folder, { encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
  const found = new Set(sources.match(/SVC_[A-Z_]+/g));
  expect(variables.map(({ name }) => name).sort()).toEqual([...found].sort());
  expect(variables.flatMap(({ name, isSecret }) => (isSecret === true ? [name] : []))).toEqual([
    'SVC_API_KEY',
    'SVC_SECRET_KEY',
  ]);
});
