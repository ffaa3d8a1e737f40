import { openApiDocument } from '@svc/contract';
import { expect, it } from 'vitest';

type Plain = ReturnType<typeof JSON.parse>;
const document = JSON.parse(JSON.stringify(openApiDocument({ baseUrl: 'https://svc.example.org' })));

const isText = (value: unknown): boolean => typeof value === 'string' && value.length > 5;
const isDescribed = (field: Plain): boolean =>
  isText(field.description) ||
  (field.$ref !== undefined &&
    isText(document.components.schemas[field.$ref.split('/').at(-1) as string].description));

function* fields(node: Plain, path = ''): Generator<[path: string, field: Plain]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries<Plain>(node)) {
    // An example is not a schema, and fields may have the names of keywords.
    if (key === 'example') continue;
    const at = `${path}/${key}`;
    if (key === 'properties')
      for (const [name, field] of Object.entries<Plain>(value)) {
        yield [`${at}/${name}`, field];
        yield* fields(field, `${at}/${name}`);
      }
    else if (key === 'parameters')
      for (const parameter of value as Plain[]) yield [`${at}/${parameter.name}`, parameter];
    else if (key === 'headers' && path === '/components')
      for (const [name, header] of Object.entries<Plain>(value)) yield [`${at}/${name}`, header];
    else yield* fields(value, at);
  }
}

it('describes every field, parameter and header', () => {
  const all = [...fields(document)];
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter(([, field]) => !isDescribed(field)).map(([path]) => path)).toEqual([]);
});

it('describes every named schema', () => {
  const schemas = Object.entries<Plain>(document.components.schemas);
  // The operation describes its body.
  const bare = schemas.filter(([name, { description }]) => !name.endsWith('Body') && !isText(description));
  expect(bare.map(([name]) => name)).toEqual([]);
});
