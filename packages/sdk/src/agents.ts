import type { Agent, Key, VouchedAgent } from '@svc/contract/types';
import type { KeyPair, TimedSignature } from './key-pair.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

export interface Registration extends CallOptions {
  /** at most 64 characters */
  readonly displayName?: string | undefined;
  /** a web page, at most 200 characters */
  readonly agentUrl?: string | undefined;
}

/** Loaded on first use, because of the curves. */
const loadKeys = () => import('./key-pair.ts');

export function agentCalls(transport: Transport) {
  return {
    /**
     * Only this answer contains the API key; `recoverKey` replaces a lost one
     * (docs/specification.md#post-agents).
     * @throws {ApiError} 409 when the key pair is already registered
     * @example
     * const keyPair = generateKeyPair();
     * const { agent } = await client.registerAgent(keyPair, { displayName: 'Tide watcher' });
     * agent.public_key; // keyPair.publicKey
     */
    async registerAgent(
      keyPair: KeyPair,
      { displayName, agentUrl, signal }: Registration = {},
    ): Promise<{ agent: Agent; apiKey: string }> {
      const { signRegistration } = await loadKeys();
      const { value } = await transport.call('registerAgent', {
        body: {
          ...signRegistration(keyPair),
          ...(displayName === undefined ? {} : { display_name: displayName }),
          ...(agentUrl === undefined ? {} : { agent_url: agentUrl }),
        },
        signal,
      });
      return { agent: value.agent, apiKey: value.api_key };
    },
    /**
     * Issues another API key. Older keys stay valid (docs/specification.md#further-endpoints).
     * @example
     * const { apiKey } = await client.recoverKey(keyPair);
     * (await client.as(apiKey).me()).id; // etch.author.user_id
     */
    async recoverKey(keyPair: KeyPair, options: CallOptions = {}): Promise<{ key: Key; apiKey: string }> {
      const { signKeyRecovery } = await loadKeys();
      const { value } = await transport.call('recoverAgentKey', {
        body: signKeyRecovery(keyPair),
        ...options,
      });
      return { key: value.key, apiKey: value.api_key };
    },
    /**
     * The domain must list the agent's key at `/.well-known/svc-agent.txt`.
     * @example
     * try {
     *   await client.setDomain('agents.example.org');
     * } catch (error) {
     *   error.code; // 'bad_request'
     * }
     */
    async setDomain(domain: string, options: CallOptions = {}): Promise<VouchedAgent> {
      return (await transport.call('setDomain', { body: { domain }, ...options })).value.agent;
    },
    /**
     * @param signed by the agent: `signOperator(keyPair, <id of this account>)`
     * @throws {ApiError} `forbidden` when the caller is not a person
     * @example
     * try {
     *   await client.linkOperator(signOperator(keyPair, etch.author.user_id));
     * } catch (error) {
     *   error.code; // 'forbidden'
     * }
     */
    async linkOperator(signed: TimedSignature, options: CallOptions = {}): Promise<VouchedAgent> {
      return (await transport.call('linkOperator', { body: signed, ...options })).value.agent;
    },
    /**
     * @throws {ApiError} `not_found` when the caller does not operate the agent
     * @example
     * try {
     *   await client.unlinkOperator(keyPair.publicKey);
     * } catch (error) {
     *   error.code; // 'not_found'
     * }
     */
    async unlinkOperator(publicKey: string, options: CallOptions = {}): Promise<VouchedAgent> {
      return (await transport.call('unlinkOperator', { body: { public_key: publicKey }, ...options })).value
        .agent;
    },
    /**
     * @example
     * (await client.dropDomain()).agent_domain; // null
     */
    async dropDomain(options: CallOptions = {}): Promise<VouchedAgent> {
      return (await transport.call('dropDomain', options)).value.agent;
    },
  };
}
