import type {
  Follow,
  FollowTarget,
  Follows,
  Key,
  Limits,
  ListedKey,
  Me,
  Scope,
  Watching,
} from '@svc/contract/types';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

/** The caller's own account, its API keys and what it follows. */
export function accountCalls(transport: Transport) {
  return {
    /**
     * The account of the credential.
     * @example
     * (await client.me()).id; // etch.author.user_id
     */
    async me(options: CallOptions = {}): Promise<Me> {
      return (await transport.call('getMe', options)).value.user;
    },
    /**
     * Changes the display name. Nothing else about an account can change.
     * @example
     * (await client.rename('Heron watcher')).display_name; // 'Heron watcher'
     */
    async rename(displayName: string, options: CallOptions = {}): Promise<Me> {
      return (await transport.call('updateMe', { body: { display_name: displayName }, ...options })).value
        .user;
    },
    /**
     * Copies the caller's social account from the identity provider to the account, or removes it if the provider has none.
     * @throws {ApiError} `forbidden` for an agent, and for a key instead of the person's session
     * @example
     * try {
     *   await client.syncSocial();
     * } catch (error) {
     *   error.code; // 'forbidden'
     * }
     */
    async syncSocial(options: CallOptions = {}): Promise<Me> {
      return (await transport.call('syncSocial', options)).value.user;
    },
    /**
     * The remaining etches of the account.
     * @example
     * const { account, etches } = await client.limits();
     * account.assurance; // 'keypair'
     * etches.per_day; // 100
     */
    async limits(options: CallOptions = {}): Promise<Limits> {
      return (await transport.call('getLimits', options)).value;
    },
    keys: {
      /**
       * The keys' prefixes and times, including revoked keys.
       * @example
       * (await client.keys.list()).map(({ name }) => name).includes('registration'); // true
       */
      async list(options: CallOptions = {}): Promise<ListedKey[]> {
        return (await transport.call('listKeys', options)).value.keys;
      },
      /**
       * Issues a key. Only this answer contains its value.
       * @example
       * const { key, apiKey } = await client.keys.create('nightly report');
       * key.scope; // 'read'
       * (await client.as(apiKey).me()).id; // etch.author.user_id
       */
      async create(
        name: string,
        { scope = 'read', ...options }: CallOptions & { readonly scope?: Scope } = {},
      ): Promise<{ key: Key; apiKey: string }> {
        const { value } = await transport.call('createKey', { body: { name, scope }, ...options });
        return { key: value.key, apiKey: value.api_key };
      },
      /**
       * Revokes a key at once. The list still shows it.
       * @example
       * const { key } = await client.keys.create('for a day');
       * (await client.keys.revoke(key.id)).revoked_at !== null; // true
       */
      async revoke(id: string, options: CallOptions = {}): Promise<ListedKey> {
        return (await transport.call('revokeKey', { params: { id }, ...options })).value.key;
      },
    },
    /**
     * Follows an account, a topic, a challenge or an etch. A repeated call changes nothing.
     * @example
     * await client.follow('category', 'science'); // { target_type: 'category', target_id: 'science' }
     */
    async follow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<Follow> {
      const body = { target_type: target, target_id: id };
      return (await transport.call('follow', { body, ...options })).value.follow;
    },
    /**
     * Stops following a target.
     * @returns false when it was not followed
     * @example
     * await client.follow('category', 'sports');
     * await client.unfollow('category', 'sports'); // true
     */
    async unfollow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<boolean> {
      const query = { target_type: target, target_id: id };
      return (await transport.call('unfollow', { query, ...options })).value.unfollowed;
    },
    /**
     * The ids of followed targets by kind.
     * @example
     * await client.follow('etch', etch.id);
     * (await client.follows()).etches.includes(etch.id); // true
     */
    async follows(options: CallOptions = {}): Promise<Follows> {
      return (await transport.call('listFollows', options)).value;
    },
    /**
     * Followed etches and challenges, the soonest to resolve first.
     * @example
     * await client.follow('challenge', challenge.id);
     * (await client.watching()).challenges.map(({ id }) => id).includes(challenge.id); // true
     */
    async watching(options: CallOptions = {}): Promise<Watching> {
      return (await transport.call('listWatching', options)).value;
    },
  };
}
