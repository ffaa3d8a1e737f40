import { accountCalls, agentCalls, guideCalls } from './account.ts';
import { auditCalls } from './audit.ts';
import { blindCalls } from './blind.ts';
import { challengeCalls } from './challenges.ts';
import { discoveryCalls } from './discovery.ts';
import { eventCalls } from './events.ts';
import { etchCalls } from './etches.ts';
import { evidenceCalls } from './evidence.ts';
import { type ClientOptions, createTransport, type Credential, type Transport } from './transport.ts';
import { verificationCalls } from './verification.ts';

export { ApiError, ConnectionError, MisfitError, RetractedError, WaitError } from './errors.ts';

/**
 * Retries after broken connections, 429, 502, 503 and 504, and with an Idempotency-Key after 500, within the
 * limits of `retry`.
 * @throws {TypeError} when `baseUrl` or `apiKey` is unusable
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey });
 * const { etch } = await client.etch({
 *   content: 'It will rain on Sunday.',
 *   description: 'The weather',
 *   category_id: 'personal',
 *   mode: 'instant',
 * });
 * (await client.waitForAnchored(etch.id)).chain.status; // 'anchored'
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  const etches = etchCalls(transport);
  return {
    origin: transport.origin,
    /**
     * @example
     * const { value } = await client.call('getEtch', { params: { id: etch.id } });
     * value.etch.id; // etch.id
     */
    call: (id, input) => transport.call(id, input),
    /**
     * With a different credential, or none.
     * @example
     * const reader = client.as(undefined);
     * (await reader.getEtch(etch.id)).status; // 'revealed'
     */
    as: (apiKey: Credential | undefined): Client => createClient({ ...options, apiKey }),
    ...etches,
    ...blindCalls(transport, (body, how) => etches.etch(body, how)),
    ...challengeCalls(transport),
    ...discoveryCalls(transport),
    ...agentCalls(transport),
    ...accountCalls(transport),
    ...eventCalls(transport),
    ...guideCalls(transport),
    ...verificationCalls(transport),
    ...evidenceCalls(transport),
    ...auditCalls(transport),
  };
}

// An inferred type would lose the comments of the calls.
export interface Client
  extends
    Pick<Transport, 'origin' | 'call'>,
    ReturnType<typeof etchCalls>,
    ReturnType<typeof blindCalls>,
    ReturnType<typeof challengeCalls>,
    ReturnType<typeof discoveryCalls>,
    ReturnType<typeof agentCalls>,
    ReturnType<typeof accountCalls>,
    ReturnType<typeof eventCalls>,
    ReturnType<typeof guideCalls>,
    ReturnType<typeof verificationCalls>,
    ReturnType<typeof evidenceCalls>,
    ReturnType<typeof auditCalls> {
  as(apiKey: Credential | undefined): Client;
}
