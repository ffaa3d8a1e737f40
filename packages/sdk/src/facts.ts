import { isHex } from '@svc/protocol';
import { normalizeTrust, type Trust } from '@svc/verifier';
import { ApiError } from './errors.ts';
import type { Transport } from './transport.ts';

/** `/.well-known/svc.json`. A caller who uses these values as pins trusts the service. */
export interface ServiceFacts {
  name: string;
  trust: Trust;
  rpcUrl: string | null;
  /** current key first */
  promiseKeys: readonly string[];
  /** of its log of trees, current key first */
  logKeys: readonly string[];
  /** signed statements that the service left a chain, unchecked (`parseMove` of `@svc/protocol`) */
  moves: readonly unknown[];
  /** null: people cannot sign in */
  identity: IdentityFacts | null;
}

export interface IdentityFacts {
  issuer: string;
  clientId: string;
  /** the audience of a session */
  resource: string;
  scope: string;
}

/** @throws {ApiError} `unexpected` when the document is malformed */
export async function fetchFacts(
  transport: Transport,
  signal: AbortSignal | undefined,
): Promise<ServiceFacts> {
  const document = await transport.get('/.well-known/svc.json', { signal });
  try {
    return readFacts(document);
  } catch {
    const message = '/.well-known/svc.json has an unknown format: check that the url is that of a service';
    throw new ApiError(message, { code: 'unexpected', status: 200 });
  }
}

/**
 * Omits malformed keys, which cannot sign.
 * @throws {TypeError} when the document is malformed
 * @example
 * const facts = readFacts(await client.document('/.well-known/svc.json'));
 * facts.trust; // trust
 */
export function readFacts(document: unknown): ServiceFacts {
  const { chain: published, promise, log, moves, identity } = asRecord(document);
  const chain = asRecord(published);
  const { name, rpc_url: url, relayers } = chain;
  if (!Array.isArray(relayers)) throw new TypeError('relayers is not a list');
  const trust = normalizeTrust({
    chainId: chain['chain_id'] as number,
    contract: chain['attestation_contract'] as string,
    schemaUid: chain['schema_uid'] as string,
    relayers: relayers as string[],
  });
  return {
    name: typeof name === 'string' ? name : '',
    trust,
    rpcUrl: isHttpUrl(url) ? url : null,
    promiseKeys: keysOf(promise, (key) => isHex(key, 32)),
    logKeys: keysOf(log, (key) => LOG_KEY.test(key)),
    moves: Array.isArray(moves) ? moves : [],
    identity: readIdentity(asRecord(identity ?? {})),
  };
}

/** C2SP signed-note. */
const LOG_KEY = /^[^+\p{White_Space}]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/u;

function keysOf(value: unknown, isKey: (key: string) => boolean): string[] {
  const { keys } = asRecord(value ?? {});
  const listed: unknown[] = Array.isArray(keys) ? keys : [];
  return listed.filter((key): key is string => typeof key === 'string' && isKey(key));
}

function readIdentity(value: Record<string, unknown>): IdentityFacts | null {
  const { issuer, client_id: clientId, resource, scope } = value;
  return isHttpUrl(issuer) &&
    typeof clientId === 'string' &&
    typeof resource === 'string' &&
    typeof scope === 'string'
    ? { issuer, clientId, resource, scope }
    : null;
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null)
    throw new TypeError('the document is not the service info of a service');
  return value as Record<string, unknown>;
}

const isHttpUrl = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
