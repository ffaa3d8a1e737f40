import type { ServiceFacts } from '@svc/sdk';
import { chooseTrust } from '../choose-trust.ts';
import type { Chosen } from '../choose-trust.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import { chooseEndpoint, readNamedTrust } from '../find-trust.ts';
import type { TrustOptions } from '../find-trust.ts';
import { pinsPath, readPin } from '../pins.ts';
import { holdsIf } from '../verdict-words.ts';

/** By whom and through what an audit is made. */
export interface AuditTrust {
  chosen: Chosen;
  urls: readonly string[];
  /** on what everything depends that the reader did not choose */
  condition: string | null;
  notes: string[];
}

/**
 * Whom an audit of a service trusts, and through which endpoints it reads the chain.
 * @param facts what the service, or its archive, says of itself
 * @throws {CommandError} when that is not known
 */
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
    throw new CommandError(
      EXIT.input,
      'the service does not say which chain it is on; name --trust, or --relayer, --contract, --schema and --chain-id',
    );
  const endpoint = chooseEndpoint(options.rpc, chosen.trust, named, pin, facts);
  if (endpoint.urls.length === 0) throw new CommandError(EXIT.wait, endpoint.notes.join('; '));
  return {
    chosen,
    urls: endpoint.urls,
    condition: holdsIf(chosen, endpoint, origin),
    notes: [
      ...chosen.notes,
      ...(chosen.source === 'pin' ? [`trusted is what you pinned of ${origin} in ${pins}`] : []),
      ...endpoint.notes,
    ],
  };
}
