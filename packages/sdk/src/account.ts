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
     * Changes the display name, the one thing about an account that can be.
     * @example
     * (await client.rename('Heron watcher')).display_name; // 'Heron watcher'
     */
    async rename(displayName: string, options: CallOptions = {}): Promise<Me> {
      return (await transport.call('updateMe', { body: { display_name: displayName }, ...options })).value
        .user;
    },
    /**
     * Copies the social account that the identity provider holds for the caller onto the account; one that is gone there is cleared here.
     * @throws {ApiError} `forbidden` for an agent, and with a key where the person's own session is needed
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
     * What may still be etched today.
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
       * Prefixes and times; revoked keys stay listed.
       * @example
       * (await client.keys.list()).map(({ name }) => name).includes('registration'); // true
       */
      async list(options: CallOptions = {}): Promise<ListedKey[]> {
        return (await transport.call('listKeys', options)).value.keys;
      },
      /**
       * The key's value is in this answer and nowhere else.
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
       * Ends a key at once; it stays listed.
       * @example
       * const { key } = await client.keys.create('for a day');
       * (await client.keys.revoke(key.id)).revoked_at !== null; // true
       */
      async revoke(id: string, options: CallOptions = {}): Promise<ListedKey> {
        return (await transport.call('revokeKey', { params: { id }, ...options })).value.key;
      },
    },
    /**
     * Follows an account, a topic, a challenge or an etch; again changes nothing.
     * @example
     * await client.follow('category', 'science'); // { target_type: 'category', target_id: 'science' }
     */
    async follow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<Follow> {
      const body = { target_type: target, target_id: id };
      return (await transport.call('follow', { body, ...options })).value.follow;
    },
    /**
     * Follows it no longer.
     * @returns was it followed?
     * @example
     * await client.follow('category', 'sports');
     * await client.unfollow('category', 'sports'); // true
     */
    async unfollow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<boolean> {
      const query = { target_type: target, target_id: id };
      return (await transport.call('unfollow', { query, ...options })).value.unfollowed;
    },
    /**
     * Bare ids by kind.
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
