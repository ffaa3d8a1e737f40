import type * as api from '@svc/contract/types';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';
import type { KeyPair, TimedSignature } from './key-pair.ts';

export function accountCalls(transport: Transport) {
  return {
    /**
     * @example
     * (await client.me()).id; // etch.author.user_id
     */
    me: (options: CallOptions = {}): Promise<api.Me> => transport.field('getMe', 'user', options),
    /**
     * @example
     * (await client.rename('Heron watcher')).display_name; // 'Heron watcher'
     */
    rename: (displayName: string, options: CallOptions = {}): Promise<api.Me> =>
      transport.field('updateMe', 'user', { body: { display_name: displayName }, ...options }),
    /**
     * Copies the linked social account from the identity provider, or removes it.
     * @throws {ApiError} `forbidden` for an agent and an API key
     * @example
     * try {
     *   await client.syncSocial();
     * } catch (error) {
     *   error.code; // 'forbidden'
     * }
     */
    syncSocial: (options: CallOptions = {}): Promise<api.Me> =>
      transport.field('syncSocial', 'user', options),
    /**
     * The etches that the account may still create.
     * @example
     * (await client.limits()).etches.per_day; // 100
     */
    limits: (options: CallOptions = {}): Promise<api.Limits> => transport.value('getLimits', options),
    keys: {
      /**
       * Includes revoked keys.
       * @example
       * (await client.keys.list()).map(({ name }) => name).includes('registration'); // true
       */
      list: (options: CallOptions = {}): Promise<api.ListedKey[]> =>
        transport.field('listKeys', 'keys', options),
      /**
       * Only this answer contains the key.
       * @example
       * const { apiKey } = await client.keys.create('nightly report');
       * (await client.as(apiKey).me()).id; // etch.author.user_id
       */
      async create(
        name: string,
        { scope = 'read', ...options }: CallOptions & { readonly scope?: api.Scope } = {},
      ): Promise<{ key: api.Key; apiKey: string }> {
        const { value } = await transport.call('createKey', { body: { name, scope }, ...options });
        return { key: value.key, apiKey: value.api_key };
      },
      /**
       * The list still shows the revoked key.
       * @example
       * const { key } = await client.keys.create('for a day');
       * (await client.keys.revoke(key.id)).revoked_at !== null; // true
       */
      revoke: (id: string, options: CallOptions = {}): Promise<api.ListedKey> =>
        transport.field('revokeKey', 'key', { params: { id }, ...options }),
    },
    /**
     * Idempotent.
     * @example
     * await client.follow('category', 'science'); // { target_type: 'category', target_id: 'science' }
     */
    follow: (target: api.FollowTarget, id: string, options: CallOptions = {}): Promise<api.Follow> =>
      transport.field('follow', 'follow', { body: { target_type: target, target_id: id }, ...options }),
    /**
     * @returns false when the target was not followed
     * @example
     * await client.follow('category', 'sports');
     * await client.unfollow('category', 'sports'); // true
     */
    unfollow: (target: api.FollowTarget, id: string, options: CallOptions = {}): Promise<boolean> =>
      transport.field('unfollow', 'unfollowed', {
        query: { target_type: target, target_id: id },
        ...options,
      }),
    /**
     * @example
     * await client.follow('etch', etch.id);
     * (await client.follows()).etches.includes(etch.id); // true
     */
    follows: (options: CallOptions = {}): Promise<api.Follows> => transport.value('listFollows', options),
    /**
     * Those that resolve first come first.
     * @example
     * await client.follow('challenge', challenge.id);
     * (await client.watching()).challenges.map(({ id }) => id).includes(challenge.id); // true
     */
    watching: (options: CallOptions = {}): Promise<api.Watching> => transport.value('listWatching', options),
  };
}

export function guideCalls(transport: Transport) {
  return {
    guide: {
      /**
       * With the caller's progress.
       * @throws {ApiError} `not_found` when the guide is disabled
       * @example
       * try {
       *   await client.guide.read();
       * } catch (error) {
       *   error.code; // 'not_found'
       * }
       */
      read: (options: CallOptions = {}): Promise<api.Guide> => transport.value('getGuide', options),
      /**
       * @returns the number of stored answers
       * @throws {ApiError} `not_found` when the guide is disabled
       * @example
       * try {
       *   await client.guide.answer({ answers: [{ question: 'trust', answer: 'The chain.' }] });
       * } catch (error) {
       *   error.code; // 'not_found'
       * }
       */
      answer: (body: api.BodyOf<'sendAnswers'>, options: CallOptions = {}): Promise<number> =>
        transport.field('sendAnswers', 'sent', { body, ...options }),
      /**
       * The answers of all testers.
       * @throws {ApiError} `not_found` when the guide is disabled, or the caller may not read them
       * @example
       * try {
       *   await client.guide.answers();
       * } catch (error) {
       *   error.code; // 'not_found'
       * }
       */
      answers: (options: CallOptions = {}): Promise<api.GuideTester[]> =>
        transport.field('listAnswers', 'testers', options),
    },
  };
}

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
    ): Promise<{ agent: api.Agent; apiKey: string }> {
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
    async recoverKey(keyPair: KeyPair, options: CallOptions = {}): Promise<{ key: api.Key; apiKey: string }> {
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
    setDomain: (domain: string, options: CallOptions = {}): Promise<api.VouchedAgent> =>
      transport.field('setDomain', 'agent', { body: { domain }, ...options }),
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
    linkOperator: (signed: TimedSignature, options: CallOptions = {}): Promise<api.VouchedAgent> =>
      transport.field('linkOperator', 'agent', { body: signed, ...options }),
    /**
     * @throws {ApiError} `not_found` when the caller does not operate the agent
     * @example
     * try {
     *   await client.unlinkOperator(keyPair.publicKey);
     * } catch (error) {
     *   error.code; // 'not_found'
     * }
     */
    unlinkOperator: (publicKey: string, options: CallOptions = {}): Promise<api.VouchedAgent> =>
      transport.field('unlinkOperator', 'agent', { body: { public_key: publicKey }, ...options }),
    /**
     * @example
     * (await client.dropDomain()).agent_domain; // null
     */
    dropDomain: (options: CallOptions = {}): Promise<api.VouchedAgent> =>
      transport.field('dropDomain', 'agent', options),
  };
}
