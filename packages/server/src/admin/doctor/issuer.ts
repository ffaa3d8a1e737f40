import { createHash, randomBytes } from 'node:crypto';
import { WEB_CLIENT } from '../../identity/embedded/issuer.ts';
import { discoveryUrl, loadMetadata, reasonFor } from '../../identity/outside-issuer.ts';
import { isSignedJwt } from '../../identity/session-token.ts';
import {
  asObject,
  boundedFetch,
  fetchJson,
  ProviderUnreachable,
} from '../../platform/outgoing/bounded-fetch.ts';
import type { Config } from '../../settings/config.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

interface Client {
  id: string;
  secret: string | undefined;
  redirectUri: string;
  authorizeUrl: string;
  tokenUrl: string;
  methods: readonly unknown[];
}

export async function checkIssuer(config: Config): Promise<Finding> {
  const { issuer, embedded } = config.identity;
  if (issuer === undefined && embedded) return ok('embedded issuer: people sign in with a name alone');
  if (issuer === undefined)
    return warn('no issuer: people cannot sign in, agents can', 'set IDENTITY_ISSUER');
  try {
    return await checkOutside(config, issuer);
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    return fail(`IDENTITY_ISSUER: ${reasonFor(error)}`, 'correct IDENTITY_ISSUER, or start the issuer');
  }
}

async function checkOutside(config: Config, issuer: string): Promise<Finding> {
  await loadMetadata(issuer);
  const found = asObject((await fetchJson(discoveryUrl(issuer))).body) ?? {};
  const { authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl } = found;
  const { host } = new URL(issuer);
  if (typeof authorizeUrl !== 'string' || typeof tokenUrl !== 'string')
    return fail(
      `${host}: its discovery document names no authorization or token endpoint`,
      'use an issuer with the authorization code flow',
    );
  const { clientId } = config.identity;
  if (clientId === undefined)
    return warn(
      `${host} answers, but IDENTITY_CLIENT_ID is not set: people cannot sign in on the pages`,
      `register a client there with the redirect URL ${redirectUriOf(config)}, and set IDENTITY_CLIENT_ID`,
    );
  const methods = found['token_endpoint_auth_methods_supported'];
  const client: Client = {
    id: clientId,
    secret: config.secrets.identityClientSecret,
    redirectUri: redirectUriOf(config),
    authorizeUrl,
    tokenUrl,
    methods: Array.isArray(methods) ? methods : ['client_secret_basic'],
  };
  return (
    (await redirectFault(client)) ??
    (await secretFault(client)) ??
    (await tokenFinding(client, config, `${host} answers and does not reject client and redirect URL`))
  );
}

const redirectUriOf = ({ baseUrl }: Config): string =>
  `${baseUrl ?? 'http://127.0.0.1'}${WEB_CLIENT.callbackPath}`;

/** With `prompt=none`, an issuer returns only to a known redirect URL. */
async function redirectFault(client: Client): Promise<Finding | undefined> {
  const url = new URL(client.authorizeUrl);
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  for (const [name, value] of Object.entries({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    state: 'doctor',
    nonce: 'doctor',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }))
    url.searchParams.set(name, value);
  const answer = await boundedFetch(url.href, { method: 'GET', headers: { accept: 'text/html' } });
  const mend = `register the redirect URL ${client.redirectUri} for that client at the issuer, or correct IDENTITY_CLIENT_ID or BASE_URL`;
  if (answer.status >= 400)
    return fail(`the issuer rejects IDENTITY_CLIENT_ID with the redirect URL ${client.redirectUri}`, mend);
  const location = answer.headers.get('location');
  if (location?.startsWith(client.redirectUri) !== true) return undefined;
  const error = new URL(location).searchParams.get('error');
  if (error === null || /^(login|interaction|consent|account_selection)_required$/.test(error))
    return undefined;
  return fail(`the issuer rejects the sign-in of IDENTITY_CLIENT_ID: ${error}`, mend);
}

async function askForToken(
  { id, secret, tokenUrl, methods }: Client,
  form: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const body = new URLSearchParams(form);
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (secret !== undefined && methods.includes('client_secret_basic')) {
    const pair = [id, secret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length));
    headers['authorization'] = `Basic ${Buffer.from(pair.join(':')).toString('base64')}`;
  } else {
    body.set('client_id', id);
    if (secret !== undefined) body.set('client_secret', secret);
  }
  const answer = await fetchJson(tokenUrl, { method: 'POST', headers, body: body.toString() });
  return { status: answer.status, body: asObject(answer.body) ?? {} };
}

/** An issuer checks the client before the code, which is wrong here. */
async function secretFault(client: Client): Promise<Finding | undefined> {
  const { body } = await askForToken(client, {
    grant_type: 'authorization_code',
    code: randomBytes(16).toString('hex'),
    redirect_uri: client.redirectUri,
    code_verifier: randomBytes(32).toString('hex'),
  });
  if (body['error'] !== 'invalid_client' && body['error'] !== 'unauthorized_client') return undefined;
  return fail(
    `the issuer rejects the client of IDENTITY_CLIENT_ID: ${String(body['error'])}`,
    client.secret === undefined
      ? 'set IDENTITY_CLIENT_SECRET, or register a public client'
      : 'correct IDENTITY_CLIENT_SECRET',
  );
}

/** Few issuers give the client such a token; with others, the first sign-in shows the form. */
async function tokenFinding(client: Client, config: Config, detail: string): Promise<Finding> {
  if (client.secret === undefined) return ok(`${detail}; the form of its tokens was not checked`);
  const audience = config.identity.audience ?? config.baseUrl ?? '';
  const { body } = await askForToken(client, {
    grant_type: 'client_credentials',
    audience,
    resource: audience,
  });
  const token = body['access_token'];
  if (typeof token !== 'string') return ok(`${detail}; the form of its tokens was not checked`);
  return isSignedJwt(token)
    ? ok(`${detail}; its tokens are signed`)
    : fail(
        'the issuer gives opaque access tokens, which the API rejects',
        `have it issue JSON Web Tokens for ${audience} (docs/operating/people.md#which-access-tokens-are-accepted)`,
      );
}
