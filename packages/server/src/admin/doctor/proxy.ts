import { ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import type { Config } from '../../settings/config.ts';
import { isLoopback, isPublicHost } from '../../settings/listen-address.ts';
import { type Answer, get } from './base-url.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

/** No machine has this address (RFC 5737). */
const CLAIMED = '192.0.2.77';
const HOW = 'docs/operating/proxy.md';

const CLAIMS = fail(
  'any client can claim any address in X-Forwarded-For',
  `have the proxy replace X-Forwarded-For, and narrow TRUST_PROXY to the address of the proxy (${HOW})`,
);

export async function checkProxy(config: Config): Promise<Finding> {
  const { baseUrl } = config;
  let plain: Answer;
  let claiming: Answer;
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
  return claim(String(plain.body['address']), plain.body['hops'], claiming);
}

function withoutHeader(config: Config, trusts: boolean): Finding {
  if (isProxied(config))
    return fail(
      'the proxy sends no X-Forwarded-For, so all clients share one allowance',
      `have the proxy set X-Forwarded-For to the address that it sees (${HOW})`,
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

function claim(address: string, hops: number, claiming: Answer): Finding {
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
