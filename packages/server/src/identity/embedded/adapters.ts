// Storage of oidc-provider. Grants and refresh tokens outlive a restart. Everything else is in memory, because anonymous
// requests could fill a table.
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { type Keyring, SealBroken } from '../../platform/secrets/keyring.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import { deleteGrant, deleteGrantAndTokens, findGrant, markUsed, saveGrant } from './grant-store.ts';

/** A rejected second use of a code or a refresh token. */
type UsedTwice = (message: string) => Error;

const hashOf = (model: string, id: string): Buffer => sha256(`${model}:${id}`);
export const grantHash = (id: string): Buffer => hashOf('Grant', id);

export function openAdapters(parts: { db: Db; keyring: Keyring; usedTwice: UsedTwice }) {
  const memory = memoryAdapter(parts);
  return (model: string): Adapter =>
    model === 'Grant' || model === 'RefreshToken' ? grantAdapter(parts, model) : memory(model);
}

function grantAdapter(
  { db, keyring, usedTwice }: Parameters<typeof openAdapters>[0],
  model: 'Grant' | 'RefreshToken',
): Adapter {
  const read = async (id: string): Promise<AdapterPayload | undefined> => {
    const hash = hashOf(model, id);
    const row = await findGrant(db, hash);
    if (!row) return undefined;
    try {
      const payload = JSON.parse(
        keyring.open('issuer-grant', row.payload, hash.toString('hex')).toString(),
      ) as AdapterPayload;
      return row.used_at === null ? payload : { ...payload, consumed: true };
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  };
  return {
    ...NOT_USED,
    async upsert(id, payload, expiresIn = 0) {
      const hash = hashOf(model, id);
      await saveGrant(db, {
        hash,
        grantHash: model === 'Grant' ? hash : grantHash(payload.grantId!),
        payload: keyring.close('issuer-grant', Buffer.from(JSON.stringify(payload)), hash.toString('hex')),
        expiresAt: toTime(Date.now() + expiresIn * 1000),
      });
    },
    find: read,
    async consume(id) {
      if (await markUsed(db, hashOf(model, id), toTime(Date.now()))) return;
      const grantId = (await read(id))?.grantId;
      if (grantId !== undefined) await deleteGrantAndTokens(db, grantHash(grantId));
      throw usedTwice('refresh token already used');
    },
    destroy: async (id) => void (await deleteGrant(db, hashOf(model, id))),
    revokeByGrantId: async (grantId) => void (await deleteGrantAndTokens(db, grantHash(grantId))),
  };
}

/** Only flows that are off call these. */
const NOT_USED = { findByUid: async () => undefined, findByUserCode: async () => undefined };

const MOST_ENTRIES = 10_000;

/** After a restart, the person enters the name again. */
function memoryAdapter({ db, usedTwice }: Parameters<typeof openAdapters>[0]): (model: string) => Adapter {
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
    return {
      ...NOT_USED,
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
        for (const [key, { payload }] of entries)
          if (payload.uid === uid && key.startsWith(`${model}:`)) return find(key);
        return undefined;
      },
      async consume(id) {
        const payload = find(keyOf(id));
        if (payload && payload.consumed === undefined) {
          payload.consumed = Math.floor(Date.now() / 1000);
          return;
        }
        if (payload?.grantId !== undefined) await deleteGrantAndTokens(db, grantHash(payload.grantId));
        throw usedTwice('authorization code already consumed');
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
