// The largest accepted requests, in the most expensive shapes.
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
const FORM = { type: 'application/x-www-form-urlencoded' };
const filling = (text, bytes) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const many = (item, bytes = BODY_BYTES - 2_000) =>
  Array(Math.floor(bytes / (JSON.stringify(item).length + 1))).fill(item);

/** A name in braces is one of `ids`. */
const PAGES = `
  /e/{id} /e/{id}/verify /e/{id}/receipt.html /e/{id}/embed /e/{id}/qr.svg /e/{id}/calendar.ics
  /ch/{challenge}?limit=100 /ch/{challenge}.md?limit=100 /ch/{challenge}/qr.svg /ch/{challenge}/calendar.ics
  /ch/{challenge}/events
  /u/{author}?limit=100 /u/{author}/record.md /u/{author}/feed.atom /api/v1/users/{author}/record
  /u/{unseen}?limit=100 /u/{unseen}/record.md /u/{unseen}/feed.atom /api/v1/users/{unseen}/record
  /api/v1/users/{forecaster}/score /u/{forecaster} /api/v1/challenges/{answered}/score /ch/{answered}
  / /search?q=the /challenges /topics/science /trees /trees/{root} /about /privacy /open /verify /docs
  /docs/protocol.md /api/v1/openapi.json /llms-full.txt /metrics /status /healthz /readyz /sitemap.xml
  /sitemap-{today}.xml /.well-known/svc.json /portraits/{id}.svg`;

const SIGNED_IN_PAGES = `
  /watching /feed?limit=100 /inbox /following /write /challenges/new
  /account /account/limits /account/keys /account/agents /account/webhooks /account/export`;

const HEADERS = 'cookie if-none-match accept accept-encoding authorization x-forwarded-for';

const words = (text) => text.trim().split(/\s+/);
const get = (path, shape = 'a page', more = {}) => ({ name: path, shape, method: 'GET', path, ...more });
const post = (path, shape, body, more = {}) => ({
  ...{ name: `POST ${path}`, shape, method: 'POST', path },
  ...{ body: typeof body === 'string' ? body : JSON.stringify(body), ...more },
});

/** @returns {{ name: string, shape: string, method: string, path: string, body?: string, headers?: object }[]} */
export function largeRequests(world) {
  const ids = { ...world.ids, ...world.names, answered: world.answered };
  return [
    ...ROUTE_LIST.flatMap((route) => ofRoute(route, world)),
    ...words(PAGES).map((path) => get(path.replace(/\{(\w+)\}/, (_, name) => ids[name]))),
    ...words(SIGNED_IN_PAGES).map((path) => get(path, 'a page', { cookie: world.cookie })),
    ...words(HEADERS).map((name) =>
      get(`/e/${ids.id}`, `a long ${name}`, { headers: { [name]: filling('"a=b",', HEADER_BYTES) } }),
    ),
    ...forms(world),
    ...others(world),
    ...tools(world),
  ];
}

function ofRoute(route, { ids, keys }) {
  const { operationId: name, method, auth, query, body } = route;
  const own = { ...ids, ...(name === 'getChallenge' && { id: ids.challenge }) };
  const path = route.path.replace(/\{(\w+)\}/g, (_, part) => own[part]);
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
    ...(lists.length > 0 ? [{}, null, 'x'] : []).map((item) => [
      `lists of ${JSON.stringify(item)}`,
      { ...bodyExample, ...set(lists, many(item, (BODY_BYTES - 2_000) / lists.length)) },
    ]),
  ];
}

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

function others({ keys, ids }) {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] };
  const shown = encodeURIComponent(`http://127.0.0.1/e/${ids.id}`);
  const etch = { content: WAVE.repeat(2_000), description: WAVE.repeat(140), category_id: 'science' };
  const token = `Bearer ${'a'.repeat(2_000)}.${'a'.repeat(2_000)}.a`;
  return [
    get(`/oembed?url=${shown}${'&x=1'.repeat(3_000)}`, 'many parameters'),
    get(`/search?q=${WAVE_IN_URL.repeat(1_000)}`, 'a long q'),
    get(`/?${filling('a&', HEADER_BYTES)}`, 'many parameters'),
    post('/rpc', 'a long batch', many(call)),
    post('/rpc', 'a batch of 300', Array(300).fill(call)),
    post('/rpc', 'lists', many([])),
    get(`/identity/auth?client_id=${filling('a', HEADER_BYTES)}`, 'a long name'),
    get(`/identity/auth?${filling('a=1&', HEADER_BYTES)}`, 'many parameters'),
    get('/identity/userinfo', 'a long token', { headers: { authorization: token } }),
    post('/identity/token', 'a long form', 'a=%41&'.repeat(8_000), FORM),
    post('/identity/dev-token', 'a long name', { username: 'a'.repeat(200_000) }),
    post('/api/v1/etches', 'the longest text', { ...etch, mode: 'instant' }, { key: keys.agent }),
  ];
}

function tools({ keys, ids: { id, challenge }, names: { author, unseen, forecaster }, answered }) {
  const message = (method, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const send = (shape, value) => post('/mcp', shape, value, { key: keys.agent });
  const call = (name, input) => ({
    ...send(JSON.stringify(input).slice(0, 60), message('tools/call', { name, arguments: input })),
    name: `POST /mcp ${name}`,
  });
  const etch = { description: 'x', topic: 'science' };
  return [
    send('a hundred lists of tools', Array(100).fill(message('tools/list'))),
    call('search', { q: 'x'.repeat(60_000) }),
    call('search', { topics: Array(900).fill('ai') }),
    call('search', { q: 'the', limit: 50 }),
    ...[author, unseen].map((username) => call('record', { username, limit: 50 })),
    ...[challenge, answered].map((one) => call('challenge', { id: one })),
    call('score', { username: forecaster }),
    call('score', { challenge_id: answered }),
    ...['show', 'receipt', 'verify', 'evidence'].map((name) => call(name, { id })),
    call('evidence', { id, tsa_certificates: filling(`${rootCertificates[0]}\n`, 61_000) }),
    call('etch', { ...etch, content: WAVE.repeat(2_000) }),
    call('etch', { ...etch, content: UNSEEN.repeat(2_000), description: UNSEEN.repeat(140) }),
    call('etch', { ...etch, content: `svc-forecast:v1 ${'a=0.001 '.repeat(480)}` }),
  ];
}
