import { mkdir } from 'node:fs/promises';
import { Command } from 'commander';
import { replayRevocations } from '../../accounts/revocations.ts';
import { replayErasures } from '../../acts/erasures.ts';
import type { Db } from '../../db/db.ts';
import { openPglite } from '../../db/pglite.ts';
import { openPostgres } from '../../db/postgres.ts';
import type { Config } from '../../settings/config.ts';
import { exportArchive } from '../archive/export.ts';
import { importArchive } from '../archive/import.ts';
import { type AdminContext, AdminError, EXIT, print } from '../context.ts';
import { fsck } from '../fsck/fsck.ts';
import { databaseFolder, exists, openKeyring, relayerOf, withDatabase } from '../open.ts';

function counter(context: AdminContext, quiet: boolean): (what: string) => void {
  const counts = new Map<string, number>();
  let told = performance.now();
  return (what) => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    if (quiet || performance.now() - told < 2_000) return;
    told = performance.now();
    context.note(`${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}\n`);
  };
}

export function exportCommand(context: AdminContext): Command {
  return new Command('export')
    .description(
      'export the whole service as one archive: receipts, trees and records that anyone can check, and the tables',
    )
    .argument('<file>', 'a new file, .tar.gz')
    .option('--public', 'receipts, trees and records only, without the tables: safe to publish', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nSealed texts are encrypted under SECRET_KEYS, which are not in the archive: store them elsewhere. The archive is one\n' +
        'snapshot of the database. Its README.txt says how to check it without the service.',
    )
    .action(async (file: string, given: { public: boolean; json: boolean }) => {
      if (await exists(file)) throw new AdminError(EXIT.usage, `${file} exists already`);
      const config = context.config();
      const [keyring, relayer] = [await openKeyring(config), await relayerOf(config)];
      const manifest = await withDatabase(config, (db) =>
        exportArchive(db, file, {
          config,
          keyring,
          relayer,
          publicOnly: given.public,
          progress: counter(context, given.json),
        }),
      );
      const { etches, trees, accounts } = manifest.counts;
      print(context, given.json, { file, ...manifest }, [
        `${etches} etches, ${trees} trees and ${accounts} accounts in ${file}`,
      ]);
    });
}

export function importCommand(context: AdminContext): Command {
  return new Command('import')
    .description('import an archive into an empty service; ids, codes, URLs and receipts stay the same')
    .argument('<file>')
    .option(
      '--erasures <file...>',
      'erasure ledgers newer than the archive, to erase again what they name',
      [],
    )
    .option('--revocations <file...>', 'revocation ledgers newer than the archive', [])
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nNeeds the SECRET_KEYS of the exported service and an empty database: a new one, or a DATA_DIR that does not exist.\n' +
        'Start the service afterwards with the same chain and BASE_URL. An embedded chain is not in the archive: copy\n' +
        'DATA_DIR/devnet (svc-admin backup contains it), or everything is anchored again on a new chain.',
    )
    .action(async (file: string, given: { erasures: string[]; revocations: string[]; json: boolean }) => {
      const { erasures, revocations, json } = given;
      const config = context.config();
      for (const ledger of [file, ...erasures, ...revocations])
        if (!(await exists(ledger))) throw new AdminError(EXIT.input, `there is no file ${ledger}`);
      const keyring = await openKeyring(config);
      const db = await openEmpty(config);
      try {
        const { manifest, rows, receipts } = await importArchive(db, file, keyring, counter(context, json));
        let erased = 0;
        for (const ledger of [...erasures, config.erasureLedger])
          erased += (await replayErasures(db, ledger)).erased;
        let revoked = 0;
        for (const ledger of [...revocations, config.revocationLedger])
          revoked += (await replayRevocations(db, ledger)).keys;
        const report = await fsck(db, keyring);
        const result = {
          rows,
          receipts,
          erased,
          revoked,
          chain: manifest.chain,
          ok: report.total === 0,
          faults: report.faults,
        };
        print(context, json, result, [
          `${rows} rows loaded, ${receipts} receipts compared${erased > 0 ? `, ${erased} etches erased again` : ''}${revoked > 0 ? `, ${revoked} keys revoked again` : ''}`,
          `the chain is ${manifest.chain.name} (${manifest.chain.chain_id}), the origin was ${manifest.base_url}`,
          ...report.faults.map(({ kind, id, what }) => `FAULT ${kind} ${id}: ${what}`),
        ]);
        if (report.total > 0) context.finish(EXIT.fault);
      } finally {
        await db.close();
      }
    });
}

async function openEmpty(config: Config): Promise<Db> {
  const { databasePooler: pooler } = config;
  const { databaseUrl: url } = config.secrets;
  if (url !== undefined) return openPostgres({ url, pooler, poolSize: 3, statementTimeout: 0 });
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  return openPglite({ dataDir: databaseFolder(config) });
}
