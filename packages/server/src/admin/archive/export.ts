import sql from 'sql-template-tag';
import { createOfficialAccounts } from '../../accounts/official.ts';
import { listRelayers } from '../../anchoring/index.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import type { Config } from '../../settings/config.ts';
import { originOf } from '../../settings/listen-address.ts';
import { ARCHIVE_FORMAT, type Manifest, readBoundChain, readFacts } from './manifest.ts';
import { type PublicView, writeChallenges, writeReceipts, writeRecords, writeTrees } from './public-parts.ts';
import { listTables, readRows } from './tables.ts';
import { type TarWriter, writeTar } from './tar-files.ts';

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
    db.tx(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read, read only`);
      await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
      made = await writeAll(tx, tar, options);
    }),
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
    let number = 0;
    for await (const lines of readRows(tx, table, ROWS)) {
      number++;
      await tar.add(`tables/${table.name}/${String(number).padStart(6, '0')}.jsonl`, `${lines.join('\n')}\n`);
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
  const parts: PublicView = {
    db: tx,
    tar,
    view,
    chain: {
      ...bound,
      name: config.chain.name,
      embedded: config.chain.embedded,
      relayer: options.relayer ?? relayers[0] ?? `0x${'0'.repeat(40)}`,
      publicRpcUrl: config.chain.publicRpcUrl ?? `${baseUrl}/rpc`,
    },
    now,
    nowMs: Date.parse(now),
    progress,
  };
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
