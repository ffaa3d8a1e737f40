import type { Context } from '../context.ts';
import { factsAt } from '../ask-service.ts';
import { chooseEndpoint, chooseTrust, type Chosen, type Endpoint, type NamedTrust } from '../find-trust.ts';
import type { Known } from '../promise-file.ts';
import { isRequired } from '../judge-evidence.ts';
import { pinsPath, readPin } from '../pins.ts';
import { holdsIf } from '../verdict-words.ts';
import type { VerifyOptions } from '../commands/verify.ts';
import type { LoadedReceipt } from './load.ts';

export interface Trusted {
  known: Known;
  chosen: Chosen;
  endpoint: Endpoint;
  condition: string | null;
}

const NO_ENDPOINT: Endpoint = { urls: [], own: true, notes: [] };

/** Pins nothing. */
export async function decideTrust(
  { receipt, evidence, service, origin }: LoadedReceipt,
  named: NamedTrust | null,
  options: VerifyOptions,
  { env }: Pick<Context, 'env'>,
): Promise<Trusted> {
  const pin = origin === null ? null : readPin(pinsPath(env), origin);
  const needsEndpoint = evidence === null && options.rpc.length === 0 && named?.facts.rpcUrl == null;
  const needsService = service !== null || needsEndpoint || options.promise !== undefined;
  const facts = needsService && origin !== null && !options.offline ? await factsAt(origin) : null;
  const { chain } = receipt;
  const chosen = chooseTrust(options, {
    trust: named?.facts.trust,
    pin: pin?.trust,
    service: facts?.trust,
    receipt: {
      chainId: chain.chain_id,
      contract: chain.attestation_contract,
      schemaUid: chain.schema_uid,
      relayers: [chain.relayer],
    },
  })!;
  const readsChain = !options.offline && evidence === null;
  const endpoint = readsChain ? chooseEndpoint(options.rpc, chosen.trust, named, pin, facts) : NO_ENDPOINT;
  // Otherwise the relayers do not matter.
  const condition = isRequired(options, 'chain') ? holdsIf(chosen, endpoint, origin) : null;
  return { known: { named, pin, facts }, chosen, endpoint, condition };
}
