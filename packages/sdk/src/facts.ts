import { isHex } from '@svc/protocol';
import { normalizeTrust } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { ApiError } from './errors.ts';
import type { Transport } from './transport.ts';

/** What a service says of its chain at `/.well-known/svc.json`. Whoever takes it as trust trusts the service. */
export interface ServiceFacts {
  name: string;
  trust: Trust;
  /** the endpoint it names to readers of the chain, or null */
  rpcUrl: string | null;
  /** Ed25519 keys of its promises, the one in use first */
  promiseKeys: readonly string[];
}

/** @throws {ApiError} `unexpected` when the document is malformed */
export async function readFacts(
  transport: Transport,
  signal: AbortSignal | undefined,
): Promise<ServiceFacts> {
  const document = (await transport.get('/.well-known/svc.json', signal)) as {
    chain?: unknown;
    promise?: { keys?: unknown };
  };
  try {
    const chain = document.chain as Record<string, unknown>;
    const { rpc_url: url, relayers } = chain;
    if (!Array.isArray(relayers)) throw new TypeError('relayers is not a list');
    const trust = normalizeTrust({
      chainId: chain['chain_id'] as number,
      contract: String(chain['attestation_contract']),
      schemaUid: String(chain['schema_uid']),
      relayers: relayers.map(String),
    });
    const usable = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    const keys = document.promise?.keys;
    const promiseKeys = Array.isArray(keys) ? keys.filter((key) => isHex(key, 32)) : [];
    return { name: String(chain['name']), trust, rpcUrl: usable ? url : null, promiseKeys };
  } catch {
    throw new ApiError('/.well-known/svc.json is not what a service publishes', {
      code: 'unexpected',
      status: 200,
    });
  }
}
