import { inputError, reworded, usageError, waitError } from '../exit.ts';
import { parseVerifierKey, TlogError, type VerifierKey } from '@svc/protocol/tlog';
import type { ServiceFacts } from '@svc/sdk';
import { chooseEndpoint, chooseTrust, readNamedTrust } from '../find-trust.ts';
import type { Chosen, TrustOptions } from '../find-trust.ts';
import type { Context } from '../context.ts';
import { pinsPath, readPin } from '../pins.ts';
import { holdsIf } from '../verdict-words.ts';

export interface AuditTrust {
  chosen: Chosen;
  urls: readonly string[];
  condition: string | null;
  notes: string[];
  /** pinned; empty: no audit can read the log of trees */
  logKeys: readonly VerifierKey[];
}

export async function chooseAuditTrust(
  options: TrustOptions,
  origin: string,
  facts: ServiceFacts | null,
  { env }: Pick<Context, 'env'>,
): Promise<AuditTrust> {
  const named = await readNamedTrust(options.trust);
  const pins = pinsPath(env);
  const pin = readPin(pins, origin);
  const chosen = chooseTrust(options, { trust: named?.facts.trust, pin: pin?.trust, service: facts?.trust });
  if (chosen === null)
    throw inputError(
      'the service does not publish its chain; name --trust, or --relayer, --contract, --schema and --chain-id',
    );
  const endpoint = chooseEndpoint(options.rpc, chosen.trust, named, pin, facts);
  if (endpoint.urls.length === 0) throw waitError(endpoint.notes.join('; '));
  return {
    chosen,
    urls: endpoint.urls,
    condition: holdsIf(chosen, endpoint, origin),
    notes: [
      ...chosen.notes,
      ...(chosen.source === 'pin'
        ? [`the trusted values are those that you pinned for ${origin} in ${pins}`]
        : []),
      ...endpoint.notes,
    ],
    logKeys: (pin?.logKeys ?? []).map((key) => parsePinned(key, pins)),
  };
}

const parsePinned = (key: string, path: string): VerifierKey =>
  reworded(
    () => parseVerifierKey(key),
    TlogError,
    (message) => usageError(`${path}: log_keys: ${message}`),
  );
