import type { Adapter, AdapterPayload } from 'oidc-provider';

const MOST_ENTRIES = 10_000;

/** After a restart, the person enters the name again. */
export function memoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, { payload: AdapterPayload; expiresAt: number }>();

  function find(key: string): AdapterPayload | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt > Date.now()) return entry.payload;
    entries.delete(key);
    return undefined;
  }

  return (model) => {
    const keyOf = (id: string): string => `${model}:${id}`;
    const first = (matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
      for (const key of entries.keys()) {
        if (!key.startsWith(`${model}:`)) continue;
        const payload = find(key);
        if (payload && matches(payload)) return payload;
      }
      return undefined;
    };
    return {
      async upsert(id, payload, expiresIn = 3_600) {
        entries.delete(keyOf(id));
        entries.set(keyOf(id), { payload, expiresAt: Date.now() + expiresIn * 1000 });
        for (const key of entries.keys()) {
          if (entries.size <= MOST_ENTRIES) break;
          entries.delete(key);
        }
      },
      async find(id) {
        return find(keyOf(id));
      },
      async findByUid(uid) {
        return first((payload) => payload.uid === uid);
      },
      async findByUserCode(userCode) {
        return first((payload) => payload.userCode === userCode);
      },
      async consume(id) {
        const payload = find(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        entries.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, entry] of entries) if (entry.payload.grantId === grantId) entries.delete(key);
      },
    };
  };
}
