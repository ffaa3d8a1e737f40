// The largest accepted requests, in the most expensive shapes.
import { randomUUID } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { ROUTE_LIST } from '../../packages/contract/dist/index.js';

/** Limits of packages/server/src/http/app.ts and of Node.js, less what else the request contains. */
const BODY_BYTES = 254_000;
const HEADER_BYTES = 14 * 1024;
const WAVE = '\u{1f30a}';
export const FORM = { type: 'application/x-www-form-urlencoded' };
const filling = (text, bytes = BODY_BYTES) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const many = (item, bytes = BODY_BYTES) =>
  Array(Math.floor(bytes / (JSON.stringify(item).length + 1))).fill(item);

/** A name in braces is one of the world's. */
const PAGES = `
  /e/{id} /e/{id}/verify /e/{id}/receipt.html /e/{id}/embed /e/{id}/qr.svg /e/{id}/calendar.ics
  /ch/{challenge}?limit=100 /ch/{challenge}.md?limit=100 /ch/{challenge}/qr.svg /ch/{challenge}/calendar.ics
  /ch/{challenge}/events
  /u/{username}?limit=100 /u/{username}/record.md /u/{username}/feed.atom /api/v1/users/{username}/record
  /api/v1/users/{forecaster}/score /u/{forecaster} /api/v1/challenges/{answered}/score /ch/{answered}
  / /search?q=the /challenges /topics/science /trees /trees/{root} /about /privacy /open /verify /docs
  /docs/protocol.md /api/v1/openapi.json /llms-full.txt /metrics /status /healthz /readyz /sitemap.xml
  /sitemap-{today}.xml /.well-known/svc.json /portraits/{id}.svg`;

const SIGNED_IN_PAGES = `
  /watching /feed?limit=100 /inbox /following /write /challenges/new
  /account /account/limits /account/keys /account/agents /account/webhooks /account/export`;

const words = (text) => text.trim().split(/\s+/);
const filled = (path, world) => path.replaceAll(/\{(\w+)\}/g, (_, name) => world[name]);
const get = (path, shape, more) => ({ name: path, shape, method: 'GET', path, ...more });
const post = (path, shape, body, more) => ({
  name: `POST ${path}`,
  shape,
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});

/** @returns {{ name: string, shape: string, method: string, path: string, body?: string }[]} */
export const largeRequests = (world) => [
  ...ROUTE_LIST.flatMap((route) => ofRoute(route, world)),
  ...words(PAGES).map((path) => get(filled(path, world), 'a page')),
  ...words(SIGNED_IN_PAGES).map((path) => get(path, 'a page', { cookie: world.cookie })),
  ...others(world),
  ...tools(world),
];

function ofRoute(route, world) {
  const { operationId: name, method, auth, query, body } = route;
  const path = filled(route.path, name === 'getChallenge' ? { ...world, id: world.challenge } : world);
  const ofPerson = ['linkOperator', 'unlinkOperator', 'syncSocial', 'listAnswers'].includes(name);
  const key = ofPerson ? world.personKey : auth === 'public' ? undefined : world.agentKey;
  const bodies = body ? longBodies(route) : [['as it is', undefined]];
  return (query ? queries(query.properties ?? {}, name) : ['']).flatMap((q) =>
    bodies.map(([shape, value]) => ({
      name,
      method,
      path: path + q,
      key,
      shape: q.slice(0, 60) || shape,
      body: JSON.stringify(value),
    })),
  );
}

function queries(known, operationId) {
  if (known.target_type) return [`?target_type=user&target_id=${randomUUID()}`];
  const texts = Object.keys(known).filter((name) => !['limit', 'page', 'cursor'].includes(name));
  return [
    '',
    known.limit && '?limit=100',
    known.q && `?q=${operationId === 'searchAccounts' ? 'a' : 'the'}`,
    ...texts.map((name) => `?${name}=${filling('a,', HEADER_BYTES)}`),
  ].filter((q) => q !== undefined);
}

function longBodies({ bodyExample = {}, body: { properties } }) {
  const names = Object.keys(properties);
  const share = BODY_BYTES / names.length;
  const long = (name) => (properties[name].type === 'array' ? many({}, share) : filling(WAVE, share));
  const unknown = Array.from({ length: 28_000 }, (_, at) => [at.toString(36), 0]);
  return [
    ['unknown fields', { ...bodyExample, ...Object.fromEntries(unknown) }],
    ['long values', Object.fromEntries(names.map((name) => [name, long(name)]))],
  ];
}

function others({ agentKey, cookie, id }) {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] };
  const shown = encodeURIComponent(`http://127.0.0.1/e/${id}`);
  const etch = { content: WAVE.repeat(2_000), description: WAVE.repeat(140), category_id: 'science' };
  const token = `Bearer ${'a'.repeat(2_000)}.${'a'.repeat(2_000)}.a`;
  return [
    get(`/e/${id}`, 'a long cookie', { headers: { cookie: filling('"a=b",', HEADER_BYTES) } }),
    get(`/oembed?url=${shown}${'&x=1'.repeat(3_000)}`, 'many parameters'),
    get(`/search?q=${encodeURIComponent(WAVE).repeat(1_000)}`, 'a long q'),
    get(`/identity/auth?${filling('a=1&', HEADER_BYTES)}`, 'many parameters'),
    get('/identity/userinfo', 'a long token', { headers: { authorization: token } }),
    post('/identity/token', 'a long form', 'a=%41&'.repeat(8_000), FORM),
    post('/rpc', 'a long batch', many(call)),
    post('/rpc', 'a batch of 300', Array(300).fill(call)),
    post('/api/v1/etches', 'the longest text', { ...etch, mode: 'instant' }, { key: agentKey }),
    ...['/sign-out', '/write', '/challenges/new', '/account/name', '/theme'].map((path) =>
      post(path, 'a long form', filling('a=%41&'), { ...FORM, ...(path !== '/sign-out' && { cookie }) }),
    ),
  ];
}

function tools({ agentKey, id, challenge, answered, username, forecaster }) {
  const etch = { description: 'x', topic: 'science' };
  const calls = [
    ['search', { q: 'x'.repeat(60_000) }],
    ['search', { topics: Array(900).fill('ai') }],
    ['search', { q: 'the', limit: 50 }],
    ['record', { username, limit: 50 }],
    ['challenge', { id: challenge }],
    ['challenge', { id: answered }],
    ['score', { username: forecaster }],
    ['score', { challenge_id: answered }],
    ...['show', 'receipt', 'verify', 'evidence'].map((name) => [name, { id }]),
    ['evidence', { id, tsa_certificates: filling(`${rootCertificates[0]}\n`, 61_000) }],
    ['etch', { ...etch, content: WAVE.repeat(2_000) }],
    ['etch', { ...etch, content: `svc-forecast:v1 ${'a=0.001 '.repeat(480)}` }],
  ];
  return calls.map(([name, input]) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const shape = JSON.stringify(input).slice(0, 60);
    return post('/mcp', shape, message, { name: `POST /mcp ${name}`, key: agentKey });
  });
}
