import { type Context, makeProgress, present, type Shown } from '../context.ts';
import { isUrl, refuseOtherOrigin } from '../find-named.ts';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Client, findOperation, type FoundOperation, listOperations } from '@svc/sdk';
import { command, flag } from '../command.ts';
import { inputError, usageError } from '../exit.ts';
import { SERVICE } from '../options.ts';
import { clientOf } from '../session.ts';

export const apiCommand = command(
  'api',
  'call an operation of the API; without arguments, list the operations',
  {
    input: {
      ...SERVICE,
      '[method]': 'GET, POST, PATCH or DELETE; without one GET, or POST with --data',
      '[path]':
        'the path with its parameters, or a url of the service; /api/v1 may be omitted, and a code names an etch or a challenge',
      '--paginate': flag('read all pages of a list, as one answer'),
      '--data <json>': 'the request body; @file reads it from a file, - from standard input',
      '--idempotency-key <key>': 'a retry with the same key is carried out once',
    },
    examples: [
      'svc api',
      'svc api /me/limits',
      'svc api "/users/ada/etches?limit=3" --field etches.hash',
      'svc api https://svc.example.org/e/abc234',
      'svc api search?q=rain --paginate --field etches.short_url',
      `svc api POST /follows --data '{"target_type":"category","target_id":"science"}'`,
    ],
    async run({ method: first, path: second, ...options }, context) {
      if (first === undefined) return listed();
      const { data, paginate, idempotencyKey } = options;
      const isMethod = second !== undefined || METHOD.test(first);
      const method = isMethod ? first : data === undefined ? 'GET' : 'POST';
      const path = isMethod ? second : first;
      if (path === undefined) throw usageError('give a path, for example svc api GET /me');
      const client = clientOf(options, context);
      const found = findOperation(method, pathOf(path, client.origin));
      if (found === undefined)
        throw usageError(`there is no operation ${method.toUpperCase()} ${path}; svc api lists all of them`);
      if (paginate && method.toUpperCase() !== 'GET') throw usageError('--paginate requires GET');
      const body = data === undefined ? {} : { body: await readBody(data, context) };
      const input = { ...(await withId(found, client)), ...body, ...present({ idempotencyKey }) };
      const { value } = await client.call(found.id, input);
      return { value: paginate ? await allPages(value as Listed, found, input, client, context) : value };
    },
  },
);

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE)$/i;
const PAGES = [
  [/^\/e\//, '/etches/'],
  [/^\/ch\//, '/challenges/'],
] as const;

function pathOf(named: string, origin: string): string {
  if (!isUrl(named)) return named;
  refuseOtherOrigin(named, origin);
  const { pathname, search } = new URL(named);
  return PAGES.reduce((path, [page, api]) => path.replace(page, api), pathname) + search;
}

async function withId({ id, input }: FoundOperation, client: Client): Promise<FoundOperation['input']> {
  const name = input.params?.['id'];
  if (name === undefined || !/^[2-9a-hjkmnp-z]{6}$/i.test(name)) return input;
  const { path } = listOperations().find((operation) => operation.id === id)!;
  const found = path.includes('/challenges/')
    ? await client.findChallengeByCode(name)
    : /\/(?:etches|verify)\//.test(path)
      ? (await client.findByCode(name)).id
      : name;
  return { ...input, params: { ...input.params, id: found } };
}

type Listed = Record<string, unknown> & {
  page?: { has_more?: boolean; next_cursor?: string | null; number?: number; pages?: number };
};

async function allPages(
  first: Listed,
  { id }: FoundOperation,
  input: FoundOperation['input'],
  client: Client,
  context: Context,
): Promise<Listed> {
  const progress = makeProgress(context);
  let whole = first;
  for (let read = 1; ; read++) {
    const next = nextOf(whole);
    progress.show('pages', read, whole.page?.pages ?? null);
    if (next === undefined) break;
    const page = (await client.call(id, { ...input, query: { ...input.query, ...next } })).value as Listed;
    const lists = Object.entries(page).filter(([, value]) => Array.isArray(value)) as [string, unknown[]][];
    const joined = lists.map(([name, items]) => [name, [...(whole[name] as unknown[]), ...items]]);
    whole = { ...page, ...(Object.fromEntries(joined) as Record<string, unknown[]>) };
  }
  progress.clear();
  return whole;
}

function nextOf({ page }: Listed): Record<string, string> | undefined {
  if (page === undefined) throw usageError('this operation has no pages: omit --paginate');
  const { has_more, next_cursor, number, pages } = page;
  if (has_more === true && typeof next_cursor === 'string') return { cursor: next_cursor };
  return number !== undefined && pages !== undefined && number < pages
    ? { page: String(number + 1) }
    : undefined;
}

function listed(): Shown {
  const operations = listOperations();
  const words = operations.map(({ method, path, id }) => `${method.padEnd(6)} ${path}  ${id}`);
  return { value: { operations }, words };
}

async function readBody(data: string, { stdin }: Context): Promise<unknown> {
  const path = data.slice(1);
  const file = () =>
    readFile(path, 'utf8').catch(() => {
      throw inputError(`${path} cannot be read`);
    });
  const json = data === '-' ? await text(stdin) : data.startsWith('@') ? await file() : data;
  try {
    return JSON.parse(json);
  } catch {
    throw usageError('--data is not JSON');
  }
}
