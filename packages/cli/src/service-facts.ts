import { isHex } from '@svc/protocol';
import { normalizeTrust } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { getJson } from './http-json.ts';

/** What a service says of its chain at `/.well-known/svc.json`. */
export interface ServiceFacts {
  trust: Trust;
  rpcUrl: string | null;
  /** Ed25519 keys of its promises */
  promiseKeys: readonly string[];
  /** null: people cannot sign in */
  identity: IdentityFacts | null;
}

/** How a person signs in. */
export interface IdentityFacts {
  issuer: string;
  clientId: string;
  /** whom a session is for */
  resource: string;
  scope: string;
}

/** Null when the service does not answer, or not so. */
export async function fetchFacts(origin: string): Promise<ServiceFacts | null> {
  try {
    const { status, value } = await getJson(`${origin}/.well-known/svc.json`);
    return status === 200 ? readFacts(value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function readFacts(value: Record<string, unknown>): ServiceFacts {
  const chain = value['chain'] as Record<string, unknown>;
  const trust = readTrust(chain);
  const url = chain['rpc_url'];
  const usable = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const keys = (value['promise'] as { keys?: unknown } | undefined)?.keys;
  return {
    trust,
    rpcUrl: usable ? url : null,
    promiseKeys: readKeys(keys) ?? [],
    identity: readIdentity(value['identity']),
  };
}

function readIdentity(value: unknown): IdentityFacts | null {
  const { issuer, client_id: clientId, resource, scope } = (value ?? {}) as Record<string, unknown>;
  const isUrl = typeof issuer === 'string' && URL.canParse(issuer) && /^https?:/.test(issuer);
  return isUrl && typeof clientId === 'string' && typeof resource === 'string' && typeof scope === 'string'
    ? { issuer, clientId, resource, scope }
    : null;
}

/** A list of Ed25519 keys; null when it is none. */
export const readKeys = (value: unknown): string[] | null =>
  Array.isArray(value) && value.every((key) => isHex(key, 32)) ? value : null;

/** @throws {TypeError} on anything malformed */
export function readTrust(value: unknown): Trust {
  const facts = value as Record<string, unknown>;
  const relayers = facts['relayers'];
  if (!Array.isArray(relayers)) throw new TypeError('relayers is not a list');
  return normalizeTrust({
    chainId: facts['chain_id'] as number,
    contract: String(facts['attestation_contract']),
    schemaUid: String(facts['schema_uid']),
    relayers: relayers.map(String),
  });
}
