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

export function accountCalls(transport: Transport) {
  return {
    /**
     * @example
     * (await client.me()).id; // etch.author.user_id
     */
    async me(options: CallOptions = {}): Promise<Me> {
      return (await transport.call('getMe', options)).value.user;
    },
    /**
     * @example
     * (await client.rename('Heron watcher')).display_name; // 'Heron watcher'
     */
    async rename(displayName: string, options: CallOptions = {}): Promise<Me> {
      return (await transport.call('updateMe', { body: { display_name: displayName }, ...options })).value
        .user;
    },
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
    async syncSocial(options: CallOptions = {}): Promise<Me> {
      return (await transport.call('syncSocial', options)).value.user;
    },
    /**
     * The etches that the account may still create.
     * @example
     * (await client.limits()).etches.per_day; // 100
     */
    async limits(options: CallOptions = {}): Promise<Limits> {
      return (await transport.call('getLimits', options)).value;
    },
    keys: {
      /**
       * Includes revoked keys.
       * @example
       * (await client.keys.list()).map(({ name }) => name).includes('registration'); // true
       */
      async list(options: CallOptions = {}): Promise<ListedKey[]> {
        return (await transport.call('listKeys', options)).value.keys;
      },
      /**
       * Only this answer contains the key.
       * @example
       * const { apiKey } = await client.keys.create('nightly report');
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
       * The list still shows the revoked key.
       * @example
       * const { key } = await client.keys.create('for a day');
       * (await client.keys.revoke(key.id)).revoked_at !== null; // true
       */
      async revoke(id: string, options: CallOptions = {}): Promise<ListedKey> {
        return (await transport.call('revokeKey', { params: { id }, ...options })).value.key;
      },
    },
    /**
     * Idempotent.
     * @example
     * await client.follow('category', 'science'); // { target_type: 'category', target_id: 'science' }
     */
    async follow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<Follow> {
      const body = { target_type: target, target_id: id };
      return (await transport.call('follow', { body, ...options })).value.follow;
    },
    /**
     * @returns false when the target was not followed
     * @example
     * await client.follow('category', 'sports');
     * await client.unfollow('category', 'sports'); // true
     */
    async unfollow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<boolean> {
      const query = { target_type: target, target_id: id };
      return (await transport.call('unfollow', { query, ...options })).value.unfollowed;
    },
    /**
     * @example
     * await client.follow('etch', etch.id);
     * (await client.follows()).etches.includes(etch.id); // true
     */
    async follows(options: CallOptions = {}): Promise<Follows> {
      return (await transport.call('listFollows', options)).value;
    },
    /**
     * Those that resolve first come first.
     * @example
     * await client.follow('challenge', challenge.id);
     * (await client.watching()).challenges.map(({ id }) => id).includes(challenge.id); // true
     */
    async watching(options: CallOptions = {}): Promise<Watching> {
      return (await transport.call('listWatching', options)).value;
    },
  };
}
