import { normalizeTrust } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { getJson } from './http-json.ts';

/** What a service says of its chain at `/.well-known/svc.json`. */
export interface ServiceFacts {
  trust: Trust;
  rpcUrl: string | null;
}

/** Null when the service does not answer, or not so. */
export async function fetchFacts(origin: string): Promise<ServiceFacts | null> {
  try {
    const { status, value } = await getJson(`${origin}/.well-known/svc.json`);
    return status === 200 ? readFacts((value as { chain?: unknown }).chain) : null;
  } catch {
    return null;
  }
}

function readFacts(value: unknown): ServiceFacts {
  const chain = value as Record<string, unknown>;
  const trust = readTrust(chain);
  const url = chain['rpc_url'];
  const usable = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return { trust, rpcUrl: usable ? url : null };
}

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
