import { createHash } from 'node:crypto';
import { raw } from 'sql-template-tag';
import { createEtchCreator, type EtchCreator } from '../../src/acts/create.ts';
import type { Db } from '../../src/db/db.ts';
import { createPromises } from '../../src/etches/promise.ts';
import { createEtchReader } from '../../src/etches/store.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { TestService } from '../../../../testing/service/service.ts';

type Opening = { mode: 'instant' } | { mode: 'delayed'; reveal_at: string };

/** Creations of one tick form one batch. */
export function creatorOf(
  { db, clock, keyring, config: { limits } }: TestService,
  { userId }: { userId: string },
  { through = db, draw }: { through?: Db; draw?: () => string } = {},
) {
  const [reader, promises] = [createEtchReader(db), createPromises(keyring)];
  const creator = createEtchCreator(
    { db: through, clock, keyring, limits, reader, promises, countReplay: async () => {} },
    draw,
  );
  const standing = {
    ...({ kind: 'agent', agent_domain: null, operator_id: null, social_verified_at: null } as const),
    username: 'ada',
    display_name: 'Ada',
    social_handle: null,
  };
  const caller: Caller = {
    ...({ userId, kind: 'agent', assurance: 'keypair', verified: false, publicKey: null } as const),
    author: standing,
    suspendedFor: null,
    credential: { type: 'session' },
  };
  return (content: string, fields: Opening = { mode: 'instant' }): ReturnType<EtchCreator['create']> =>
    creator.create(caller, { content, description: 'd', category_id: 'science', ...fields });
}

/** Every row of every table. */
export async function everyRow(db: Db): Promise<string> {
  const tables = await db.column<string>(
    raw(`select tablename from pg_tables where schemaname = current_schema()`),
  );
  const rows = tables.map((name) => db.column<string>(raw(`select t::text from "${name}" t`)));
  return (await Promise.all(rows)).flat().join('\n');
}

export const forms = (text: string): string[] => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  createHash('sha256').update(text).digest('hex'),
];
