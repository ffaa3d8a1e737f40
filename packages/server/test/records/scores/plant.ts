import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { PublicChallenge, PublicEtch } from '@svc/protocol/conventions';
import sql from 'sql-template-tag';
import { encryptHidden } from '../../../src/etches/hidden-fields.ts';
import type { Keyring } from '../../../src/platform/secrets/keyring.ts';
import type { TestDatabase } from '../../../../../testing/database/test-database.ts';

/** Plain JavaScript, like all generators of vectors. */
const generator: string = '../../../../../vectors/generate/planted.mjs';
export const { planted } = (await import(generator)) as {
  planted: (accounts: number, each: number) => PlantedData;
};
export interface PlantedData {
  records: Map<string, PublicEtch[]>;
  challenges: PublicChallenge[];
}

/** Adds etches that the service finds with separate queries. */
export function plantApart({ records, challenges }: PlantedData): void {
  const add = (name: string, content: string, created: string, parts: Partial<PublicEtch> = {}) => {
    const own = records.get(name)!;
    const created_at = new Date(created).toISOString();
    const anchored_at = new Date(Date.parse(created_at) + 4_000).toISOString();
    own.push({
      ...own[0]!,
      id: randomUUID(),
      status: 'revealed',
      mode: 'instant',
      challenge: null,
      content,
      created_at,
      description: 'Planted',
      chain: { anchored_at },
      ...parts,
    });
  };
  // Sealed etches outside challenges; one of them is not revealed in the database yet.
  for (let due = 0; due < 3; due++)
    add('account_3', 'svc-forecast:v1 yes=0.3', '2026-01-10', { mode: 'delayed' });
  const text = { ...challenges[0]!, id: randomUUID(), question: 'Which one? [that you like]' };
  challenges.push(text);
  add('account_3', 'svc-forecast:v1 yes=0.3', '2026-01-01', { mode: 'delayed', challenge: { id: text.id } });
  // A CR belongs to a line end only before an LF.
  add('account_3', 'svc-forecast:v1 yes=0.3\r\nThe wind turns.', '2026-01-11');
  add('account_3', 'svc-forecast:v1 yes=0.3\r', '2026-01-12');
  add('account_3', 'svc-forecast:v2 New York=0.3 Rome=0.7', '2026-01-13');
  add(
    'account_3',
    `svc-resolution:v2 ${records.get('account_3')!.at(-1)!.id} New York | the gauge`,
    '2026-01-14',
    {
      description: `svc-resolution:v1 ${records.get('account_3')!.at(-1)!.id}`,
    },
  );
  // Several spaces separate words like one space.
  const { id, reveal_at } = challenges[3]!;
  add('asker_one', `svc-resolution:v1  ${id}   void   nobody looked`, reveal_at, {
    description: `svc-resolution:v1 ${id}`,
  });
}

export async function plant(
  db: TestDatabase,
  keyring: Keyring,
  { records, challenges }: PlantedData,
): Promise<void> {
  const etches = [...records.values()].flat();
  const authors = new Map(etches.map(({ author }) => [author.user_id, author]));
  await insert(db, 'account', [...authors.values()].map(accountRow));
  await insert(db, 'challenge', challenges.map(challengeRow));
  await db.query(sql`
    insert into challenge_tally (id, category_id, created_at, reveal_at)
    select id, category_id, created_at, reveal_at from challenge`);
  const closes = new Map(challenges.map(({ id, reveal_at }) => [id, reveal_at]));
  const rows = etches.map((etch, at) => etchRow(etch, { keyring, closes, isDue: at % 3 === 0 }));
  await insert(db, 'etch', rows);
  await db.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select id, hash, retracted_at, 'abuse' from etch
    where id = any(${etches.filter(({ retracted_by }) => retracted_by).map(({ id }) => id)}::uuid[])`);
  const times = [...new Set(etches.map(({ chain }) => chain.anchored_at).filter((time) => time !== null))];
  await insert(db, 'anchor_tx', times.map(txRow));
  await db.query(sql`
    insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
    select id, 0, 0, 2, tx_hash, 1, tx_hash, block_time from anchor_tx`);
  const leaves = etches.filter(({ chain }) => chain.anchored_at !== null);
  await db.query(sql`
    insert into batch_leaf (kind, etch_id, batch_id, proof)
    select 0, p.id, b.id, '' from unnest(${leaves.map(({ id }) => id)}::uuid[],
      ${leaves.map(({ chain }) => chain.anchored_at)}::timestamptz[]) as p (id, time)
    join batch b on b.anchored_at = p.time`);
}

const accountRow = ({ user_id, username }: PublicEtch['author']) => ({
  id: user_id,
  kind: 'agent',
  username,
  display_name: username,
  created_at: '2025-12-01T00:00:00.000Z',
});

const challengeRow = ({ id, question, creator_id, reveal_at }: PublicChallenge) => ({
  id,
  code: id,
  question,
  category_id: 'science',
  creator_id,
  reveal_at,
  created_at: '2025-12-02T00:00:00.000Z',
});

const bytes = (value: Buffer) => `\\x${value.toString('hex')}`;

function etchRow(
  { id, author, mode, status, description, content, created_at, challenge, chain }: PublicEtch,
  { keyring, closes, isDue }: { keyring: Keyring; closes: ReadonlyMap<string, string>; isDue: boolean },
) {
  const isSealed = status === 'sealed' || (isDue && mode === 'delayed' && content !== null);
  const parts = { content: content ?? 'hidden', salt: randomBytes(32), signature: null, signature_key: null };
  const alone = status === 'sealed' ? '2999-01-01T00:00:00.000Z' : '2026-02-01T00:00:00.000Z';
  return {
    id,
    user_id: author.user_id,
    code: id,
    mode,
    description,
    category_id: 'science',
    status: isSealed ? 'sealed' : status,
    hash: bytes(createHash('sha256').update(id).digest()),
    challenge_id: challenge?.id ?? null,
    created_at: created_at ?? new Date(Date.parse(chain.anchored_at!) - 4_000).toISOString(),
    reveal_at: mode === 'instant' ? null : (closes.get(challenge?.id ?? '') ?? alone),
    retracted_at: status === 'retracted' ? '2026-06-01T00:00:00.000Z' : null,
    sealed: isSealed ? bytes(encryptHidden(keyring, id, parts)) : null,
    content: isSealed ? null : content,
    salt: isSealed || content === null ? null : bytes(parts.salt),
  };
}

const txRow = (time: string, nonce: number) => ({
  sender: '\\x00',
  nonce,
  action: 'attest',
  calldata: '\\x00',
  state: 'FINAL',
  not_before: time,
  staged_at: time,
  block_number: nonce,
  block_time: time,
  tx_hash: bytes(createHash('sha256').update(time).digest()),
});

async function insert(db: TestDatabase, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0]!).join(', ');
  const from = `insert into ${table} (${columns}) select ${columns} from json_populate_recordset`;
  await db.query(sql([`${from}(null::${table}, `, ')'], JSON.stringify(rows)));
}
