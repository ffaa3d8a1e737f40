// Runs without a database.
import { existsSync, readFileSync } from 'node:fs';
import { Chain, RevealedEtch, ROUTES } from '@svc/contract';
import { expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url);
const specification = readFileSync(new URL('docs/specification.md', root), 'utf8');

function specified(heading: string): string {
  const [, level, text] =
    new RegExp(`^(#{2,3}) ${heading.replaceAll(/[/{}()]/g, '\\$&')}\\n([^]*)`, 'm').exec(specification) ?? [];
  if (text === undefined) throw new Error(`docs/specification.md has no heading "${heading}"`);
  return text.split(new RegExp(`^#{2,${level!.length}} `, 'm'))[0]!;
}

interface Section {
  section: string;
  intro: string;
  /** each row lists `<file>: <title of a test>` */
  rows: Record<string, string[]>;
}
const sections = JSON.parse(readFileSync(new URL('coverage.json', import.meta.url), 'utf8')) as Section[];

const names = (title: string): string[] =>
  Object.keys(sections.find(({ section }) => section === title)!.rows).sort();

function withoutRow(title: string): string[] {
  const terms = [...specified(title).matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, term]) =>
    term!.replaceAll('`', ''),
  );
  expect(terms.length, title).toBeGreaterThan(3);
  return terms.filter((term) => !names(title).some((row) => row.startsWith(term)));
}

test('every endpoint of the specification has a row', () => {
  const held = Object.values(ROUTES).filter((route) => !('extra' in route));
  expect(names('Endpoints')).toEqual(
    held.map((route) => `${route.method} ${route.path.replace('/api/v1', '')}`).sort(),
  );
  const headings = [...specified('Endpoints').matchAll(/^### ([A-Z]+ \/.*)$/gm)].map(([, name]) => name!);
  expect(headings.length).toBeGreaterThan(20);
  expect(headings.filter((name) => !names('Endpoints').includes(name))).toEqual([]);
});

test('every field of an etch and of its chain has a row', () => {
  expect(names('Fields of an etch')).toEqual(Object.keys(RevealedEtch.properties).sort());
  expect(names('Fields of chain')).toEqual(Object.keys(Chain.properties).sort());
});

test('every input of the specification has a row', () => {
  const inputs = [
    ...Object.keys(ROUTES.createEtch.body.properties).map((name) => `POST /etches: ${name}`),
    ...Object.keys(ROUTES.listChallenges.query.properties).map((name) => `GET /challenges: ${name}`),
    ...Object.keys(ROUTES.searchEtches.query.properties).map((name) => `GET /search: ${name}`),
  ];
  expect(names('Inputs')).toEqual(inputs.sort());
});

test('every condition of an error has a row, under a status with one', () => {
  const perStatus: Record<string, number> = {};
  for (const name of names('Conditions of errors')) {
    const status = name.slice(0, 3);
    perStatus[status] = (perStatus[status] ?? 0) + 1;
  }
  expect(perStatus).toEqual({ 400: 9, 401: 1, 403: 4, 404: 5, 409: 4, 422: 2, 429: 6 });
});

test('every transition, error and limit of the specification has a row', () => {
  expect(names('States and transitions')).toHaveLength(9);
  expect(withoutRow('States and transitions')).toEqual([]);
  // Each text has a row with its own name.
  expect(withoutRow('Limits')).toEqual(['Text']);
  const errors = '400; 401; 403; 404; 405, 413, 415; 409; 422; 429; 503; no 5xx for any input';
  expect(names('Errors')).toEqual(errors.split('; '));
  expect(names('Limits')).toEqual([
    'API-key requests',
    'Attestation time',
    'Challenges created',
    ...['keypair agent', 'verified agent', 'verified human'].map((kind) => `Daily etch allowance, ${kind}`),
    'Idempotency-Key',
    'Idempotent replay',
    'Merkle tree',
    'Page size',
    'Signed-out callers',
    'agent_url',
    'content',
    'description',
    'display_name',
    'guide answer',
    'key name',
    'reveal_at lead time',
  ]);
});

test('every section names its heading', () => {
  for (const { section, intro } of sections)
    expect(intro, section).toMatch(/\]\((?:specification\.md|operating\/)/);
});

test('every named test exists', () => {
  const missing = sections.flatMap(({ rows }) =>
    Object.entries(rows).flatMap(([row, tests]) => {
      expect(tests.length, row).toBeGreaterThan(0);
      return tests.filter((test) => {
        const [, file, title] = /^(\S+): (.+)$/.exec(test)!;
        const url = new URL(file!, root);
        const text = existsSync(url) ? readFileSync(url, 'utf8').replaceAll("\\'", "'") : '';
        return !["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
      });
    }),
  );
  expect(missing).toEqual([]);
});
