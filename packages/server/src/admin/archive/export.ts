import sql, { empty } from 'sql-template-tag';
import { createOfficialAccounts } from '../../accounts/official.ts';
import { findBatch, listRelayers } from '../../anchoring/index.ts';
import type { Db, Queryable, Tx } from '../../db/db.ts';
import { etchView, type ViewContext } from '../../etches/view.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import type { Config } from '../../settings/config.ts';
import { originOf } from '../../settings/listen-address.ts';
import { ARCHIVE_FORMAT, listTables, type Manifest, readBoundChain, readFacts, readRows } from './tables.ts';
import { type TarWriter, writeTar } from './tar-files.ts';
import { findEtches, findFormer, queryEtches } from '../../etches/store.ts';
import { makeFormerReceipts, makeReceipt, type ReceiptChainContext } from '../../etches/receipt.ts';
import type { EtchRow } from '../../etches/row.ts';
import {
  countRecord,
  findAccountByUsername,
  listRecordEntries,
  type RecordPlace,
  recordUserView,
} from '../../records/record-store.ts';
import { inPages } from '../context.ts';

interface ExportOptions {
  config: Config;
  keyring: Keyring;
  relayer: string | undefined;
  publicOnly: boolean;
  progress: (what: string) => void;
}

const ROWS = 500;

/** Sealed texts stay encrypted. */
export async function exportArchive(db: Db, file: string, options: ExportOptions): Promise<Manifest> {
  let made: Manifest | undefined;
  await writeTar(file, (tar) =>
    db.tx(
      async (tx) => {
        await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
        made = await writeAll(tx, tar, options);
      },
      { snapshot: true },
    ),
  );
  return made!;
}

async function writeAll(tx: Tx, tar: TarWriter, options: ExportOptions): Promise<Manifest> {
  const { config, keyring, publicOnly, progress } = options;
  const { now, schema, counts } = await readFacts(tx);
  const bound = await readBoundChain(tx);
  const relayers = await listRelayers(tx);
  const baseUrl = config.baseUrl ?? originOf(config.host, config.port);
  const tables = publicOnly ? [] : await listTables(tx);
  const manifest: Manifest = {
    format: ARCHIVE_FORMAT,
    made_at: now,
    base_url: baseUrl,
    chain: {
      name: config.chain.name,
      chain_id: bound.chainId,
      attestation_contract: bound.contract,
      schema_uid: bound.schemaUid,
      relayers,
    },
    schema_version: publicOnly ? null : schema,
    tables: tables.map(({ name }) => name),
    counts,
  };
  await tar.add('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  await tar.add('README.txt', README);
  for (const table of tables) {
    let number = 1;
    for await (const lines of readRows(tx, table, ROWS)) {
      await tar.add(`tables/${table.name}/${numbered(number++)}.jsonl`, `${lines.join('\n')}\n`);
      progress('tables');
    }
  }
  const officialAccounts = createOfficialAccounts(tx, config.officialAccounts);
  await officialAccounts.refresh();
  const view: ViewContext = {
    baseUrl,
    keyring,
    officialAccounts,
    explorerUrl: config.chain.explorerUrl,
    attestationExplorerUrl: config.chain.attestationExplorerUrl,
  };
  const { name, embedded, publicRpcUrl = `${baseUrl}/rpc` } = config.chain;
  const relayer = options.relayer ?? relayers[0] ?? `0x${'0'.repeat(40)}`;
  const chain = { ...bound, name, embedded, relayer, publicRpcUrl };
  const parts: PublicView = { db: tx, tar, view, chain, now, nowMs: Date.parse(now), progress };
  await writeReceipts(parts);
  await writeTrees(parts);
  await writeRecords(parts);
  await writeChallenges(parts);
  return manifest;
}

const README = `An archive of a commitment service (svc-archive:v1): a gzip-compressed tar file.

manifest.json         what it is of: the chain, the contract, the schema, the attesters, how much there is
receipts/<id>.json    a receipt for each etch; each is checked by itself, without the service:
                        svc verify receipts/<id>.json --rpc <a node of the chain> \\
                          --chain-id <id> --contract <contract> --schema <uid> --relayer <attester>
                      and all of them:
                        for receipt in receipts/*.json; do svc verify "$receipt" --rpc ... || echo "$receipt"; done
trees/<root>-<kind>.json
                      every leaf of every anchored tree: author and hash. Fold them again (docs/protocol.md), and see
                      that every leaf of an author is in the author's record
records/<username>/<n>.json
                      every etch of every account as readers see it, newest first, a hundred a file
challenges/<n>.json   who asked what, and when it closed, a hundred a file. With the records, all that scores of forecasts are made of:
                        svc score <this archive> <username>, or docs/score.py
tables/<table>/<n>.jsonl
                      the rows, for \`svc-admin import\`; not for publication: hashes of API keys, allowances, follows,
                      the exact times of what is sealed. A public archive has none. Sealed texts are in here encrypted
                      under SECRET_KEYS, and nowhere else

What was sealed when the archive was made is sealed in everything but the tables: no text, no salt, no time. What was
retracted is erased.
`;

const AT_ONCE = 200;

interface PublicView {
  db: Queryable;
  tar: TarWriter;
  view: ViewContext;
  chain: ReceiptChainContext;
  now: string;
  nowMs: number;
  progress: (what: string) => void;
}

const numbered = (number: number): string => String(number).padStart(6, '0');
const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

async function writeReceipts({ db, tar, view, chain, nowMs, progress }: PublicView): Promise<void> {
  const read = (last: EtchRow | undefined): Promise<EtchRow[]> =>
    queryEtches(db, sql`${last ? sql`where e.id > ${last.id}::uuid` : empty} order by e.id limit ${AT_ONCE}`);
  for await (const rows of inPages(AT_ONCE, read)) {
    const ids = rows.map(({ id }) => id);
    const former = await findFormer(db, ids);
    for (const row of rows) {
      const before = makeFormerReceipts(row, nowMs, view, former.get(row.id) ?? []);
      await tar.add(`receipts/${row.id}.json`, json(makeReceipt(row, nowMs, view, chain, before)));
      progress('receipts');
    }
  }
}

async function writeTrees({ db, tar, progress }: PublicView): Promise<void> {
  type Tree = { id: number; root: string; kind: 0 | 1 };
  const read = (last: Tree | undefined): Promise<Tree[]> =>
    db.query(sql`
      select id, encode(root, 'hex') as root, kind from batch b
      where id > ${last?.id ?? 0} and anchored_at is not null and tree_version <> 0
        and not exists (select from batch o where o.root = b.root and o.kind = b.kind and o.id < b.id and o.anchored_at is not null)
      order by id limit ${AT_ONCE}`);
  for await (const page of inPages(AT_ONCE, read)) {
    for (const { root, kind } of page) {
      const found = await findBatch(db, root, kind);
      const { id: _, ...batch } = found!;
      await tar.add(`trees/${root}-${kind}.json`, json({ batch }));
      progress('trees');
    }
  }
}

async function writeRecords(parts: PublicView): Promise<void> {
  const read = (last = ''): Promise<string[]> =>
    parts.db.column(
      sql`select username from account where username > ${last} order by username limit ${AT_ONCE}`,
    );
  for await (const page of inPages(AT_ONCE, read)) {
    for (const username of page) {
      await writeRecord(parts, username);
      parts.progress('records');
    }
  }
}

async function writeChallenges({ db, tar, progress }: PublicView): Promise<void> {
  const read = (last: PublicChallenge | undefined): Promise<PublicChallenge[]> =>
    db.query(sql`
      select id, code, question, category_id, creator_id, created_at, reveal_at from challenge
      ${last ? sql`where id > ${last.id}::uuid` : empty} order by id limit ${PAGE}`);
  let number = 1;
  for await (const challenges of inPages(PAGE, read)) {
    await tar.add(`challenges/${numbered(number++)}.json`, json({ challenges }));
    progress('challenges');
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
    const ids = entries.map(({ id }) => id);
    const etches = (await findEtches(db, ids)).flatMap((row) => (row ? [etchView(row, nowMs, view)] : []));
    const file = { user: recordUserView(account, view), counts, etches };
    await tar.add(`records/${username}/${numbered(number)}.json`, json(file));
    const last = entries.at(-1);
    if (!last || entries.length < PAGE) return;
    after = { createdAt: last.created_at, id: last.id };
  }
}
