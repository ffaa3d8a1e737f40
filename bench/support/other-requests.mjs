// Routes outside the contract.
import { FORECASTS } from './forecaster.mjs';
import { BODY_BYTES } from './large-requests.mjs';
import { toolRequests } from './tool-requests.mjs';

/** Node reads 16 KiB. */
const HEADER_BYTES = 14 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** @returns {Promise<{ name: string, shape: string, method: string, path: string, body?: string, headers?: object }[]>} */
export async function otherRequests(world) {
  return [
    ...pages(world),
    ...signedInPages(world),
    ...longHeaders(world),
    ...forms(world),
    ...rpc(),
    ...issuer(world),
    createEtch(world),
    ...(await toolRequests(world)),
  ];
}

const get = (name, path, shape = 'a page') => ({ name: `GET ${name}`, shape, method: 'GET', path });

function pages({
  etches: [{ id }],
  challenge,
  username,
  unseen,
  forecaster,
  answered,
  ids: { root },
  today,
}) {
  const etch = (path) => get(`/e/<id>${path}`, `/e/${id}${path}`);
  const asked = (path) => get(`/ch/<id>${path}`, `/ch/${challenge.id}${path}`);
  const author = (path) => get(`/u/<name>${path}`, `/u/${username}${path}`);
  const unreadable = (path) => get(`/u/<unseen>${path}`, `/u/${unseen}${path}`);
  const same = (path) => get(path, path);
  return [
    ...['', '/verify', '/receipt.html', '/embed', '/qr.svg', '/calendar.ics'].map(etch),
    ...['?limit=100', '.md?limit=100', '/qr.svg', '/calendar.ics', '/events'].map(asked),
    ...['?limit=100', '/record.md'].map(author),
    ...['?limit=100', '/record.md', '/feed.atom'].map(unreadable),
    get('/api/v1/users/<unseen>/record', `/api/v1/users/${unseen}/record`),
    ...['/', '/search?q=the', '/challenges', '/topics/science', '/trees', '/about', '/privacy', '/open'].map(
      same,
    ),
    ...['/verify', '/docs', '/docs/protocol.md', '/api/v1/openapi.json', '/llms.txt', '/llms-full.txt'].map(
      same,
    ),
    ...['/metrics', '/status', '/healthz', '/readyz', '/sitemap.xml', '/.well-known/svc.json'].map(same),
    get('/sitemap-<day>.xml', `/sitemap-${today}.xml`, 'ten thousand etches'),
    get('/trees/<root>', `/trees/${root}`),
    get('/portraits/<id>.svg', `/portraits/${id}.svg`),
    get('/oembed', `/oembed?url=${encodeURIComponent(`http://127.0.0.1/e/${id}`)}${'&x=1'.repeat(3_000)}`),
    get('/search', `/search?q=${'%F0%9F%8C%8A'.repeat(1_000)}`, 'a long q'),
    get('/', `/?${'a&'.repeat(HEADER_BYTES / 2)}`, 'many parameters'),
    ...[
      [`/api/v1/users/<forecaster>/score`, `/api/v1/users/${forecaster}/score`],
      ['/u/<forecaster>', `/u/${forecaster}`],
      ['/api/v1/challenges/<answered>/score', `/api/v1/challenges/${answered}/score`],
      ['/ch/<answered>', `/ch/${answered}`],
    ].map(([name, path]) => get(name, path, `${FORECASTS} forecasts`)),
  ];
}

function signedInPages({ cookie }) {
  const paths = ['/watching', '/feed?limit=100', '/inbox', '/following', '/write', '/challenges/new'];
  const own = ['', '/limits', '/keys', '/agents', '/webhooks', '/export'].map((path) => `/account${path}`);
  return [...paths, ...own].map((path) => ({ ...get(path, path), cookie }));
}

function longHeaders({ etches: [{ id }] }) {
  const long = (name, text) => ({
    ...get(`/e/<id>, ${name}`, `/e/${id}`, 'a long header'),
    headers: { [name]: text.repeat(HEADER_BYTES / text.length) },
  });
  return [
    long('cookie', 'a=b; '),
    long('if-none-match', '"a",'),
    long('accept', 'a/b,'),
    long('accept-encoding', 'a,'),
    long('authorization', 'Bearer '),
    long('x-forwarded-for', '127.0.0.1,'),
  ];
}

function forms({ cookie }) {
  const body = 'a=%41&'.repeat(BODY_BYTES / 6 - 1);
  const long = (path) => ({
    ...{ name: `POST ${path}`, shape: 'a long form', method: 'POST', path, body, type: FORM },
    ...(path !== '/sign-out' && { cookie }),
  });
  const words = (path, name) => ({
    ...long(path),
    shape: 'a long text',
    body: `${name}=${'%F0%9F%8C%8A'.repeat((BODY_BYTES - 100) / 12)}`,
  });
  return [
    ...['/sign-out', '/write', '/challenges/new', '/account/name', '/theme'].map(long),
    words('/write', 'content'),
    words('/challenges/new', 'question'),
    words('/account/name', 'display_name'),
  ];
}

function rpc() {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] };
  const post = (shape, body) => ({ name: 'POST /rpc', shape, method: 'POST', path: '/rpc', body });
  return [
    post('a long batch', batchOf(call, BODY_BYTES)),
    post('a batch of 300', batchOf(call, 300 * (JSON.stringify(call).length + 1))),
    post('lists', batchOf([], BODY_BYTES)),
  ];
}

function issuer() {
  const at = '/identity';
  const long = 'a'.repeat(HEADER_BYTES);
  const post = (path, shape, body, type = FORM) => ({
    ...{ name: `POST ${at}${path}`, shape, method: 'POST', path: at + path, body, type },
  });
  const token = `${'a'.repeat(2_000)}.`.repeat(2) + 'a';
  return [
    get(`${at}/auth`, `${at}/auth?client_id=${long}`, 'a long name'),
    get(`${at}/auth`, `${at}/auth?${'a=1&'.repeat(HEADER_BYTES / 4)}`, 'many parameters'),
    get(`${at}/jwks`, `${at}/jwks`),
    { ...get(`${at}/userinfo`, `${at}/userinfo`), headers: { authorization: `Bearer ${token}` } },
    post('/token', 'a long form', 'a=%41&'.repeat(8_000)),
    post('/dev-token', 'a long name', JSON.stringify({ username: 'a'.repeat(200_000) }), 'application/json'),
  ];
}

const createEtch = ({ keys }) => ({
  ...{ name: 'createEtch', shape: 'the longest text', method: 'POST', path: '/api/v1/etches' },
  key: keys.agent,
  body: JSON.stringify({
    content: '\u{1f30a}'.repeat(2_000),
    description: '\u{1f30a}'.repeat(140),
    category_id: 'science',
    mode: 'instant',
  }),
});

const batchOf = (one, bytes) =>
  JSON.stringify(Array.from({ length: Math.floor(bytes / (JSON.stringify(one).length + 1)) - 1 }, () => one));
