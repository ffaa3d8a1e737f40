import sql, { empty } from 'sql-template-tag';
import { findBatch } from '../../anchoring/index.ts';
import type { Queryable } from '../../db/db.ts';
import { findEtches, findFormer, queryEtches } from '../../etches/store.ts';
import { makeFormerReceipts, makeReceipt, type ReceiptChainContext } from '../../etches/receipt.ts';
import type { EtchRow } from '../../etches/row.ts';
import { etchView, type ViewContext } from '../../etches/view.ts';
import {
  countRecord,
  findAccountByUsername,
  listRecordEntries,
  type RecordPlace,
} from '../../records/record-store.ts';
import { recordUserView } from '../../records/record.ts';
import type { TarWriter } from './tar-files.ts';

const AT_ONCE = 200;

export interface PublicView {
  db: Queryable;
  tar: TarWriter;
  view: ViewContext;
  chain: ReceiptChainContext;
  now: string;
  nowMs: number;
  progress: (what: string) => void;
}

const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

export async function writeReceipts({ db, tar, view, chain, nowMs, progress }: PublicView): Promise<void> {
  for (let last: string | null = null; ;) {
    const rows: EtchRow[] = await queryEtches(
      db,
      sql`${last === null ? empty : sql`where e.id > ${last}::uuid`} order by e.id limit ${AT_ONCE}`,
    );
    const former = await findFormer(
      db,
      rows.map(({ id }) => id),
    );
    for (const row of rows) {
      const before = makeFormerReceipts(row, nowMs, view, former.get(row.id) ?? []);
      await tar.add(`receipts/${row.id}.json`, json(makeReceipt(row, nowMs, view, chain, before)));
      progress('receipts');
    }
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}

export async function writeTrees({ db, tar, progress }: PublicView): Promise<void> {
  for (let last = 0; ;) {
    const page = await db.query<{ id: number; root: string; kind: 0 | 1 }>(sql`
      select id, encode(root, 'hex') as root, kind from batch b
      where id > ${last} and anchored_at is not null and tree_version <> 0
        and not exists (select from batch o where o.root = b.root and o.kind = b.kind and o.id < b.id and o.anchored_at is not null)
      order by id limit ${AT_ONCE}`);
    for (const { root, kind } of page) {
      const found = await findBatch(db, root, kind);
      const { id: _, ...batch } = found!;
      await tar.add(`trees/${root}-${kind}.json`, json({ batch }));
      progress('trees');
    }
    if (page.length < AT_ONCE) return;
    last = page.at(-1)!.id;
  }
}

export async function writeRecords(parts: PublicView): Promise<void> {
  const { db, progress } = parts;
  for (let last = ''; ;) {
    const page = await db.query<{ username: string }>(
      sql`select username from account where username > ${last} order by username limit ${AT_ONCE}`,
    );
    for (const { username } of page) {
      await writeRecord(parts, username);
      progress('records');
    }
    if (page.length < AT_ONCE) return;
    last = page.at(-1)!.username;
  }
}

export async function writeChallenges({ db, tar, progress }: PublicView): Promise<void> {
  for (let number = 1, last: string | null = null; ; number++) {
    const challenges: PublicChallenge[] = await db.query<PublicChallenge>(sql`
      select id, code, question, category_id, creator_id, created_at, reveal_at from challenge
      ${last === null ? empty : sql`where id > ${last}::uuid`} order by id limit ${PAGE}`);
    if (challenges.length === 0) return;
    await tar.add(`challenges/${String(number).padStart(6, '0')}.json`, json({ challenges }));
    progress('challenges');
    last = challenges.at(-1)!.id;
  }
}

type PublicChallenge = Record<
  'id' | 'code' | 'question' | 'category_id' | 'creator_id' | 'created_at' | 'reveal_at',
  string
>;

const PAGE = 100;

async function writeRecord({ db, tar, view, now, nowMs }: PublicView, username: string): Promise<void> {
  const account = (await findAccountByUsername(db, username))!;
  const counts = await countRecord(db, account.id, now);
  let after: RecordPlace | undefined;
  for (let number = 1; ; number++) {
    const entries = await listRecordEntries(db, account.id, { limit: PAGE, ...(after && { after }) });
    if (entries.length === 0 && number > 1) return;
    const rows = await findEtches(
      db,
      entries.map(({ id }) => id),
    );
    const etches = rows.flatMap((row) => (row ? [etchView(row, nowMs, view)] : []));
    const name = `records/${username}/${String(number).padStart(6, '0')}.json`;
    await tar.add(name, json({ user: recordUserView(account, view), counts, etches }));
    const last = entries.at(-1);
    if (!last || entries.length < PAGE) return;
    after = { createdAt: last.created_at, id: last.id };
  }
}
