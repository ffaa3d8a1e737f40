import { reasonFor } from '../../identity/outside-issuer.ts';
import { asObject, boundedFetch, ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import type { Config } from '../../settings/config.ts';
import { isLoopback } from '../../settings/listen-address.ts';
import { VERSION } from '../../settings/version.ts';
import { relayerOf } from '../open.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

export interface Answer {
  status: number;
  location: string | null;
  body: Record<string, unknown> | undefined;
}

export async function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
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
  let answer: Answer;
  try {
    answer = await get(`${baseUrl}/healthz`);
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    const make = config.loopback && !config.production ? warn : fail;
    return make(
      `BASE_URL: ${reasonFor(error)}`,
      'correct BASE_URL, or start the service; check DNS, certificate and proxy (docs/operating/proxy.md)',
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
      'correct BASE_URL, or have the proxy pass every path to the service (docs/operating/proxy.md)',
    );
  return (await otherService(config, baseUrl)) ?? found(config, baseUrl, answer.body['version']);
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

function found({ production }: Config, baseUrl: string, version: unknown): Finding {
  if (version !== VERSION)
    return warn(
      `${baseUrl} runs version ${String(version)}, this program is ${VERSION}`,
      'use the svc-admin of the version that runs',
    );
  if (production && isLoopback(new URL(baseUrl).hostname))
    return warn(`only this machine reaches ${baseUrl}`, 'set BASE_URL to the public origin, https://<host>');
  return ok(`${baseUrl} runs version ${VERSION}`);
}
