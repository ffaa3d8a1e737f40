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
} from '@svc/contract';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

/** The caller's own account, its API keys and what it follows. */
export function accountCalls(transport: Transport) {
  return {
    async me(options: CallOptions = {}): Promise<Me> {
      return (await transport.call('getMe', options)).value.user;
    },
    async rename(displayName: string, options: CallOptions = {}): Promise<Me> {
      return (await transport.call('updateMe', { body: { display_name: displayName }, ...options })).value
        .user;
    },
    /** What may still be etched today. */
    async limits(options: CallOptions = {}): Promise<Limits> {
      return (await transport.call('getLimits', options)).value;
    },
    keys: {
      /** Prefixes and times; revoked keys stay listed. */
      async list(options: CallOptions = {}): Promise<ListedKey[]> {
        return (await transport.call('listKeys', options)).value.keys;
      },
      /** The key's value is in this answer and nowhere else. */
      async create(
        name: string,
        { scope = 'read', ...options }: CallOptions & { readonly scope?: Scope } = {},
      ): Promise<{ key: Key; apiKey: string }> {
        const { value } = await transport.call('createKey', { body: { name, scope }, ...options });
        return { key: value.key, apiKey: value.api_key };
      },
      async revoke(id: string, options: CallOptions = {}): Promise<ListedKey> {
        return (await transport.call('revokeKey', { params: { id }, ...options })).value.key;
      },
    },
    async follow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<Follow> {
      const body = { target_type: target, target_id: id };
      return (await transport.call('follow', { body, ...options })).value.follow;
    },
    async unfollow(target: FollowTarget, id: string, options: CallOptions = {}): Promise<boolean> {
      const query = { target_type: target, target_id: id };
      return (await transport.call('unfollow', { query, ...options })).value.unfollowed;
    },
    async follows(options: CallOptions = {}): Promise<Follows> {
      return (await transport.call('listFollows', options)).value;
    },
    /** Followed etches and challenges, the soonest to resolve first. */
    async watching(options: CallOptions = {}): Promise<Watching> {
      return (await transport.call('listWatching', options)).value;
    },
  };
}
