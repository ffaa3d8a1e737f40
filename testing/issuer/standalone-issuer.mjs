// An issuer without the service's libraries. It prints its URL, and `POST /control` sets its behavior.
import { createHash, createHmac, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import { URLSearchParams } from 'node:url';

const base64url = (value) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KINDS = {
  RS256: { make: rsa, hash: 'sha256' },
  PS256: { make: rsa, hash: 'sha256', options: { padding: 6, saltLength: 32 } },
  ES256: { make: p256, hash: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { make: () => generateKeyPairSync('ed25519'), hash: null },
};

let keys = [];
const userinfo = new Map();
const answers = new Map();
const requests = {};
let url;
let flow = { sub: 'someone' };
const codes = new Map();
const refreshTokens = new Set();

function newKey(alg, kid = randomUUID()) {
  return { alg, kid, ...KINDS[alg].make() };
}

function publicJwk({ alg, kid, publicKey }) {
  return { ...publicKey.export({ format: 'jwk' }), alg, kid, use: 'sig' };
}

function signWith({ alg, privateKey }, input) {
  const { hash, options = {} } = KINDS[alg];
  return sign(hash, Buffer.from(input), { key: privateKey, ...options });
}

const without = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** `null` removes a header or claim. `by` is an algorithm, or `stranger` for an unpublished key. */
function mint({ by = 'RS256', header = {}, claims = {}, signature, stranger = false }) {
  const published = keys.findLast((key) => key.alg === by);
  const key = stranger ? newKey(by, published?.kid) : published;
  const now = Math.floor(Date.now() / 1000);
  const head = without({ alg: by, typ: 'at+jwt', kid: key.kid, ...header });
  const body = without({ iss: url, sub: 'someone', iat: now, exp: now + 600, ...claims });
  const input = `${base64url(head)}.${base64url(body)}`;
  if (signature === 'none') return `${input}.`;
  if (signature === 'hmac of the public key') {
    const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  }
  return `${input}.${signWith(key, input).toString('base64url')}`;
}

function tokenSubject(header) {
  const [head, body, signature] = (/^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '').split('.');
  if (!signature) return undefined;
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const key = keys.find((candidate) => candidate.kid === kid);
  if (!key) return undefined;
  const { hash, options = {} } = KINDS[key.alg];
  const signed = Buffer.from(`${head}.${body}`);
  const by = { key: key.publicKey, ...options };
  const isOurs = verify(hash, signed, by, Buffer.from(signature, 'base64url'));
  return isOurs ? JSON.parse(Buffer.from(body, 'base64url').toString()).sub : undefined;
}

const operations = {
  mint: (minting) => ({ token: mint(minting) }),
  rotate({ alg = 'RS256', keep = false }) {
    if (!keep) keys = keys.filter((key) => key.alg !== alg);
    keys.push(newKey(alg));
    return {};
  },
  userinfo({ sub, claims }) {
    userinfo.set(sub, claims);
    return {};
  },
  /** `{ status, body, text, hang, redirect }`; an empty object restores the normal answer. */
  answer({ path, ...answer }) {
    if (Object.keys(answer).length === 0) answers.delete(path);
    else answers.set(path, answer);
    return {};
  },
  signIn(changes) {
    flow = { ...flow, ...changes };
    return {};
  },
  requests: () => ({ requests }),
};

function discovery() {
  return {
    ...(flow.endSession && { end_session_endpoint: `${url}/end` }),
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: Object.keys(KINDS),
  };
}

function authorize(query) {
  const code = randomUUID();
  codes.set(code, Object.fromEntries(query));
  const back = new URL(query.get('redirect_uri'));
  back.searchParams.set('code', code);
  back.searchParams.set('state', query.get('state'));
  return back.href;
}

function exchange(header, form) {
  const basic = Buffer.from(/^Basic (.+)$/.exec(header ?? '')?.[1] ?? '', 'base64').toString();
  // Form-encoded (RFC 6749, 2.3.1).
  const [id, secret] = basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  if (flow.secret !== undefined && (id !== 'web' || secret !== flow.secret)) return 'invalid_client';
  let nonce = null;
  if (form.get('grant_type') === 'refresh_token') {
    if (!refreshTokens.delete(form.get('refresh_token'))) return 'invalid_grant';
  } else {
    const asked = codes.get(form.get('code'));
    codes.delete(form.get('code'));
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (!asked || asked.code_challenge !== challenge || asked.redirect_uri !== form.get('redirect_uri'))
      return 'invalid_grant';
    nonce = asked.nonce;
  }
  const { sub, audience, expiresIn = 600, refresh = false, claims = {} } = flow;
  const refreshToken = refresh ? randomUUID() : undefined;
  if (refreshToken) refreshTokens.add(refreshToken);
  return {
    token_type: 'Bearer',
    expires_in: expiresIn,
    access_token: mint({ claims: { sub, aud: audience, jti: randomUUID() } }),
    id_token: mint({ header: { typ: 'JWT' }, claims: { sub, aud: 'web', nonce, ...claims } }),
    ...(refreshToken && { refresh_token: refreshToken }),
  };
}

function reply(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const server = createServer(async (request, response) => {
  const path = request.url;
  const text = await bodyOf(request);
  if (path === '/control') {
    const { operation, ...input } = JSON.parse(text);
    return reply(response, 200, operations[operation](input));
  }
  const { authorization, apikey } = request.headers;
  (requests[path] ??= []).push({ method: request.method, authorization, apikey, body: text });
  const prepared = answers.get(path);
  if (prepared?.hang) return undefined;
  if (prepared?.redirect) {
    response.writeHead(302, { location: prepared.redirect });
    return response.end();
  }
  if (prepared) return reply(response, prepared.status ?? 200, prepared.text ?? prepared.body);
  if (path === '/.well-known/openid-configuration') return reply(response, 200, discovery());
  if (path === '/jwks') return reply(response, 200, { keys: keys.map(publicJwk) });
  if (path.startsWith('/authorize?')) {
    const query = new URL(path, url).searchParams;
    if (flow.redirectUris?.includes(query.get('redirect_uri')) === false)
      return reply(response, 400, { error: 'invalid_request' });
    response.writeHead(302, { location: authorize(query) });
    return response.end();
  }
  if (path === '/token') {
    const answer = exchange(authorization, new URLSearchParams(text));
    if (typeof answer === 'string') return reply(response, 400, { error: answer });
    return reply(response, 200, answer);
  }
  if (path === '/userinfo') {
    const sub = tokenSubject(authorization);
    if (sub === undefined) return reply(response, 401, { error: 'invalid_token' });
    return reply(response, 200, { sub, ...userinfo.get(sub) });
  }
  return reply(response, 404, { error: 'not found' });
});

for (const alg of Object.keys(KINDS)) keys.push(newKey(alg));
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  url = `http://127.0.0.1:${server.address().port}`;
  process.stdout.write(`${url}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
