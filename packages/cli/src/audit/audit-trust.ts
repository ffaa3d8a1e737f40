import type { ServiceFacts } from '@svc/sdk';
import { chooseTrust } from '../choose-trust.ts';
import type { Chosen } from '../choose-trust.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import { chooseEndpoint, readNamedTrust } from '../find-trust.ts';
import type { TrustOptions } from '../find-trust.ts';
import { pinsPath, readPin } from '../pins.ts';
import { holdsIf } from '../verdict-words.ts';

/** The trusted values and endpoints of an audit. */
export interface AuditTrust {
  chosen: Chosen;
  urls: readonly string[];
  /** the assumption that the reader did not confirm; null when there is none */
  condition: string | null;
  notes: string[];
}

/**
 * Chooses the trusted values of an audit, and the endpoints to read the chain.
 * @param facts the service info of the service or its archive
 * @throws {CommandError} when a value or the endpoint is unknown
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
      'the service does not publish its chain; name --trust, or --relayer, --contract, --schema and --chain-id',
    );
  const endpoint = chooseEndpoint(options.rpc, chosen.trust, named, pin, facts);
  if (endpoint.urls.length === 0) throw new CommandError(EXIT.wait, endpoint.notes.join('; '));
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
  };
}
