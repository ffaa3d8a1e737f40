// The checks of BASE_URL and of the proxy in front of the service, by requests to BASE_URL.
import { reasonFor } from '../../identity/outside-issuer.ts';
import { asObject, boundedFetch, ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import type { Config } from '../../settings/config.ts';
import { isLoopback, isPublicHost } from '../../settings/listen-address.ts';
import { VERSION } from '../../settings/version.ts';
import { relayerOf } from '../context.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

interface HttpAnswer {
  status: number;
  location: string | null;
  body: Record<string, unknown> | undefined;
}

export async function get(url: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  const answer = await boundedFetch(url, {
    method: 'GET',
    headers: { accept: 'application/json', ...headers },
  });
  const body = asObject(await answer.json().catch(() => undefined));
  return { status: answer.status, location: answer.headers.get('location'), body };
}

export async function checkBaseUrl(config: Config): Promise<Finding> {
  const { baseUrl } = config;
  if (baseUrl === undefined) return warn('PORT is 0 and BASE_URL is not set', 'set PORT or BASE_URL');
  let answer: HttpAnswer;
  try {
    answer = await get(`${baseUrl}/healthz`);
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    const make = config.loopback && !config.production ? warn : fail;
    return make(
      `BASE_URL: ${reasonFor(error)}`,
      'correct BASE_URL, or start the service; check DNS, certificate and proxy',
    );
  }
  if (answer.status >= 300 && answer.status < 400)
    return fail(
      `${baseUrl} redirects to ${answer.location ?? 'nowhere'}`,
      'set BASE_URL to the address that answers without a redirect',
    );
  if (answer.status !== 200 || answer.body?.['status'] !== 'ok')
    return fail(
      `${baseUrl}/healthz answers ${answer.status}, but not like this service`,
      'correct BASE_URL, or have the proxy pass every path to the service',
    );
  return (await otherService(config, baseUrl)) ?? judgeAnswer(config, baseUrl, answer.body['version']);
}

async function otherService(config: Config, baseUrl: string): Promise<Finding | undefined> {
  const relayer = await relayerOf(config);
  const { body } = await get(`${baseUrl}/.well-known/svc.json`);
  const relayers = asObject(body?.['chain'])?.['relayers'];
  if (relayer === undefined || !Array.isArray(relayers) || relayers.includes(relayer)) return undefined;
  return fail(
    `a different service answers at ${baseUrl}: ${relayer} is not one of its relayers`,
    'correct BASE_URL or RELAYER_PRIVATE_KEY, and run doctor with the settings of the service',
  );
}

function judgeAnswer({ production }: Config, baseUrl: string, version: unknown): Finding {
  if (version !== VERSION)
    return warn(
      `${baseUrl} runs version ${String(version)}, this program is ${VERSION}`,
      'use the svc-admin of the version that runs',
    );
  if (production && isLoopback(new URL(baseUrl).hostname))
    return warn(`only this machine reaches ${baseUrl}`, 'set BASE_URL to the public origin, https://<host>');
  return ok(`${baseUrl} runs version ${VERSION}`);
}

/** No machine has this address (RFC 5737). */
const CLAIMED = '192.0.2.77';

const CLAIMS = fail(
  'any client can claim any address in X-Forwarded-For',
  'have the proxy replace X-Forwarded-For, and narrow TRUST_PROXY to the address of the proxy',
);

export async function checkProxy(config: Config): Promise<Finding> {
  const { baseUrl } = config;
  let plain: HttpAnswer;
  let claiming: HttpAnswer;
  try {
    plain = await get(`${baseUrl}/healthz/proxy`);
    claiming = await get(`${baseUrl}/healthz/proxy`, { 'x-forwarded-for': CLAIMED });
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    return warn('not checked: BASE_URL does not answer', 'see the check of base_url');
  }
  if (plain.status !== 200 || typeof plain.body?.['hops'] !== 'number')
    return warn('not checked: this service does not answer at BASE_URL', 'see the check of base_url');
  const trusts = config.trustProxy.length > 0;
  if (plain.body['forwarded'] !== true)
    return isProxied(config) && claiming.body?.['address'] === CLAIMED
      ? CLAIMS
      : withoutHeader(config, trusts);
  if (plain.body['hops'] === 0)
    return fail(
      `the service ignores X-Forwarded-For: TRUST_PROXY ${trusts ? 'does not contain the address of the proxy' : 'is not set'}, so all clients share one allowance`,
      'set TRUST_PROXY to the address of the proxy (loopback for a proxy on this machine)',
    );
  return judgeClaim(String(plain.body['address']), plain.body['hops'], claiming);
}

function withoutHeader(config: Config, trusts: boolean): Finding {
  if (isProxied(config))
    return fail(
      'the proxy sends no X-Forwarded-For, so all clients share one allowance',
      'have the proxy set X-Forwarded-For to the address that it sees',
    );
  return trusts
    ? warn(
        'TRUST_PROXY is set, but requests to BASE_URL arrive without a proxy',
        'unset TRUST_PROXY, or set BASE_URL to the address of the proxy',
      )
    : ok('no proxy: requests to BASE_URL arrive directly');
}

/** The service speaks plain http at HOST and PORT. */
function isProxied({ baseUrl, host, port }: Config): boolean {
  if (baseUrl === undefined) return false;
  const url = new URL(baseUrl);
  return (
    url.protocol === 'https:' ||
    Number(url.port || 80) !== port ||
    (isLoopback(host) && !isLoopback(url.hostname))
  );
}

function judgeClaim(address: string, hops: number, claiming: HttpAnswer): Finding {
  const arrives = 'X-Forwarded-For arrives and is trusted';
  if (claiming.body?.['address'] !== CLAIMED) return ok(`${arrives}; a claimed address is dropped`);
  // If our own address is in TRUST_PROXY, the service accepts our claim, but no stranger's.
  if (claiming.body['hops'] !== hops && !isPublicHost(address))
    return warn(
      `${arrives}; this machine cannot tell whether a client can claim an address`,
      'run doctor on another machine',
    );
  return CLAIMS;
}
