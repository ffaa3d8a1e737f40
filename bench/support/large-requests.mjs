// The largest accepted requests, in the most expensive shapes. A shape is `[what, { path, body, … }]`.
import { randomUUID } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { ROUTE_LIST } from '../../packages/contract/dist/index.js';

/** Limits of packages/server/src/http/app.ts and of Node.js. */
const BODY_BYTES = 256 * 1024;
const HEADER_BYTES = 14 * 1024;
const WAVE = '\u{1f30a}';
const WAVE_IN_URL = encodeURIComponent(WAVE);
/** The service writes it as a number. */
const UNSEEN = '\u200d';
const filling = (text, bytes) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const many = (item, bytes = BODY_BYTES - 2_000) =>
  Array(Math.floor(bytes / (JSON.stringify(item).length + 1))).fill(item);

/** @returns {{ name: string, shape: string, method: string, path: string, body?: string, headers?: object }[]} */
export const largeRequests = (world) => [
  ...ROUTE_LIST.flatMap((route) => ofRoute(route, world)),
  ...pages(world),
  ...forms(world),
  ...others(world),
  ...tools(world),
];

function ofRoute(route, { ids, keys }) {
  const { operationId: name, method, auth, query, body } = route;
  const path = route.path.replace(/\{(\w+)\}/g, (_, part) => ids[`${name}.${part}`] ?? ids[part]);
  const ofPerson = ['linkOperator', 'unlinkOperator', 'syncSocial', 'listAnswers'].includes(name);
  const key = ofPerson ? keys.person : auth === 'public' ? undefined : keys.agent;
  const shapes = [
    ...(query ? queries(query.properties ?? {}, name).map(([shape, q]) => ({ shape, path: path + q })) : []),
    ...(body ? bodies(route).map(([shape, value]) => ({ shape, body: JSON.stringify(value) })) : []),
  ];
  const all = shapes.length > 0 ? shapes : [{ shape: 'as it is' }];
  return all.map((shape) => ({ name, method, path, key, ...shape }));
}

function queries(known, operationId) {
  if (known.target_type) return [['a target', `?target_type=user&target_id=${randomUUID()}`]];
  const texts = Object.keys(known).filter((name) => !['limit', 'page', 'cursor'].includes(name));
  return [
    ['as it is', ''],
    ...(known.limit ? [['a whole page', '?limit=100']] : []),
    ...(known.q ? [['a common word', operationId === 'searchAccounts' ? '?q=a' : '?q=the']] : []),
    ...texts.flatMap((name) => [
      [`a long ${name}`, `?${name}=${filling('a,', HEADER_BYTES)}`],
      [`a ${name} of blanks`, `?${name}=${filling('%20', HEADER_BYTES)}`],
    ]),
  ];
}

function bodies({ bodyExample = {}, body: { properties } }) {
  const names = Object.keys(properties);
  const lists = names.filter((name) => properties[name].type === 'array');
  const set = (of, value) => Object.fromEntries(of.map((name) => [name, value]));
  const room = (BODY_BYTES - 2_000) / Math.max(1, names.length);
  const unknown = Array.from({ length: 28_000 }, (_, at) => [at.toString(36), 0]);
  return [
    ['unknown fields', { ...bodyExample, ...Object.fromEntries(unknown) }],
    ['an unknown list', { ...bodyExample, unknown: many([]) }],
    ['no object', many([])],
    ...['x', ' ', WAVE, '\u0001'].map((text) => [
      `long ${JSON.stringify(text)}`,
      set(names, text.repeat(Math.floor(room / (Buffer.byteLength(JSON.stringify(text)) - 2)))),
    ]),
    ...(lists.length > 0
      ? [{}, null, 'x'].map((item) => [
          `lists of ${JSON.stringify(item)}`,
          { ...bodyExample, ...set(lists, many(item, (BODY_BYTES - 2_000) / lists.length)) },
        ])
      : []),
  ];
}

const get = (path, shape = 'a page', more = {}) => ({ name: path, shape, method: 'GET', path, ...more });

function pages({
  etches: [{ id }],
  challenge,
  names: { author, unseen, forecaster },
  answered,
  ids,
  cookie,
}) {
  const below = (root, ends) => ends.map((end) => get(root + end));
  const signedIn = ['/watching', '/feed?limit=100', '/inbox', '/following', '/write', '/challenges/new'];
  const account = ['', '/limits', '/keys', '/agents', '/webhooks', '/export'].map(
    (path) => `/account${path}`,
  );
  const headers = [
    'cookie',
    'if-none-match',
    'accept',
    'accept-encoding',
    'authorization',
    'x-forwarded-for',
  ];
  return [
    ...below(`/e/${id}`, ['', '/verify', '/receipt.html', '/embed', '/qr.svg', '/calendar.ics']),
    ...below(`/ch/${challenge.id}`, ['?limit=100', '.md?limit=100', '/qr.svg', '/calendar.ics', '/events']),
    ...[author, unseen].flatMap((name) =>
      below(`/u/${name}`, ['?limit=100', '/record.md', '/feed.atom']).concat(
        get(`/api/v1/users/${name}/record`),
      ),
    ),
    ...below('', ['/', '/search?q=the', '/challenges', '/topics/science', '/trees', '/about', '/privacy']),
    ...below('', [
      '/open',
      '/verify',
      '/docs',
      '/docs/protocol.md',
      '/api/v1/openapi.json',
      '/llms-full.txt',
    ]),
    ...below('', ['/metrics', '/status', '/healthz', '/readyz', '/sitemap.xml', '/.well-known/svc.json']),
    ...below('', [`/sitemap-${ids.today}.xml`, `/trees/${ids.root}`, `/portraits/${id}.svg`]),
    ...[`/api/v1/users/${forecaster}/score`, `/u/${forecaster}`].map((path) => get(path, 'many forecasts')),
    ...[`/api/v1/challenges/${answered}/score`, `/ch/${answered}`].map((path) => get(path, 'many forecasts')),
    get(
      `/oembed?url=${encodeURIComponent(`http://127.0.0.1/e/${id}`)}${'&x=1'.repeat(3_000)}`,
      'many parameters',
    ),
    get(`/search?q=${WAVE_IN_URL.repeat(1_000)}`, 'a long q'),
    get(`/?${filling('a&', HEADER_BYTES)}`, 'many parameters'),
    ...[...signedIn, ...account].map((path) => get(path, 'a page', { cookie })),
    ...headers.map((name) =>
      get(`/e/${id}`, `a long ${name}`, { headers: { [name]: filling('"a=b",', HEADER_BYTES) } }),
    ),
  ];
}

const post = (path, shape, body, more = {}) => ({
  name: `POST ${path}`,
  shape,
  method: 'POST',
  path,
  body,
  ...more,
});
const FORM = { type: 'application/x-www-form-urlencoded' };

function forms({ cookie }) {
  const more = { ...FORM, cookie };
  const long = filling('a=%41&', BODY_BYTES - 10);
  const texts = { '/write': 'content', '/challenges/new': 'question', '/account/name': 'display_name' };
  return [
    post('/sign-out', 'a long form', long, FORM),
    ...[...Object.keys(texts), '/theme'].map((path) => post(path, 'a long form', long, more)),
    ...Object.entries(texts).map(([path, name]) =>
      post(path, 'a long text', `${name}=${filling(WAVE_IN_URL, BODY_BYTES - 100)}`, more),
    ),
  ];
}

function others({ keys }) {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] };
  const identity = '/identity/auth';
  const words = { content: WAVE.repeat(2_000), description: WAVE.repeat(140) };
  const etch = JSON.stringify({ ...words, category_id: 'science', mode: 'instant' });
  const token = `Bearer ${'a'.repeat(2_000)}.${'a'.repeat(2_000)}.a`;
  return [
    post('/rpc', 'a long batch', JSON.stringify(many(call))),
    post('/rpc', 'a batch of 300', JSON.stringify(Array(300).fill(call))),
    post('/rpc', 'lists', JSON.stringify(many([]))),
    get(`${identity}?client_id=${filling('a', HEADER_BYTES)}`, 'a long name'),
    get(`${identity}?${filling('a=1&', HEADER_BYTES)}`, 'many parameters'),
    get('/identity/userinfo', 'a long token', { headers: { authorization: token } }),
    post('/identity/token', 'a long form', 'a=%41&'.repeat(8_000), FORM),
    post('/identity/dev-token', 'a long name', JSON.stringify({ username: 'a'.repeat(200_000) })),
    post('/api/v1/etches', 'the longest text', etch, { key: keys.agent }),
  ];
}

function tools({ keys, etches: [{ id }], challenge, names: { author, unseen, forecaster }, answered }) {
  const message = (method, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const send = (shape, value) => post('/mcp', shape, JSON.stringify(value), { key: keys.agent });
  const call = (name, input) => ({
    ...send(JSON.stringify(input).slice(0, 60), message('tools/call', { name, arguments: input })),
    name: `POST /mcp ${name}`,
  });
  const etch = { description: 'x', topic: 'science' };
  const long = UNSEEN.repeat(2_000);
  return [
    send('a hundred lists of tools', Array(100).fill(message('tools/list'))),
    call('search', { q: 'x'.repeat(60_000) }),
    call('search', { topics: Array(900).fill('ai') }),
    call('search', { q: 'the', limit: 50 }),
    ...[author, unseen].map((username) => call('record', { username, limit: 50 })),
    ...[challenge.id, answered].map((one) => call('challenge', { id: one })),
    call('score', { username: forecaster }),
    call('score', { challenge_id: answered }),
    ...['show', 'receipt', 'verify', 'evidence'].map((name) => call(name, { id })),
    call('evidence', { id, tsa_certificates: filling(`${rootCertificates[0]}\n`, 61_000) }),
    call('etch', { ...etch, content: WAVE.repeat(2_000) }),
    call('etch', { ...etch, content: long, description: UNSEEN.repeat(140) }),
    call('etch', { ...etch, content: `svc-forecast:v1 ${'a=0.001 '.repeat(480)}` }),
  ];
}
