// The commands `backup`, `restore`, `export` and `import`.
import { flag } from '@svc/cli/command';
import { replayRevocations } from '../../accounts/key-store.ts';
import { replayErasures } from '../../acts/erasure-store.ts';
import { exportArchive } from '../archive/export.ts';
import { importArchive } from '../archive/import.ts';
import { fsck } from '../fsck/fsck.ts';
import { command, files } from '../command.ts';
import {
  type Admin,
  openOrCreate,
  exists,
  openKeyring,
  refuseMissing,
  relayerOf,
  withDatabase,
  usageError,
} from '../context.ts';
import { faultLines } from '../fsck/report.ts';
import { makeBackup } from '../backup/backup.ts';
import { recordBackup } from '../../vitals/last-backup.ts';
import { addedUp, restoreBackup } from '../backup/restore.ts';

function counter(admin: Admin): (what: string) => void {
  const counts = new Map<string, number>();
  return (what) => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    admin.progress([...counts].map(([name, count]) => `${count} ${name}`).join(', '));
  };
}

export const exportCommand = command(
  'export',
  'export the whole service as one archive: receipts, trees and records that anyone can check, and the tables',
  {
    input: {
      '<file>': 'a new file, .tar.gz',
      '--public': flag('receipts, trees and records only, without the tables: safe to publish'),
    },
    below:
      '\nSealed texts are encrypted under SECRET_KEYS, which are not in the archive: store them elsewhere. The archive is one\n' +
      'snapshot of the database. Its README.txt says how to check it without the service.',
    async run({ file, public: publicOnly }, admin) {
      if (await exists(file)) throw usageError(`${file} exists already`);
      const config = admin.config();
      const [keyring, relayer] = [await openKeyring(config), await relayerOf(config)];
      const manifest = await withDatabase(config, (db) =>
        exportArchive(db, file, {
          config,
          keyring,
          relayer,
          publicOnly,
          progress: counter(admin),
        }),
      );
      const { etches, trees, accounts } = manifest.counts;
      const line = `${etches} etches, ${trees} trees and ${accounts} accounts in ${file}`;
      return { value: { file, ...manifest }, lines: [line] };
    },
  },
);

export const importCommand = command(
  'import',
  'import an archive into an empty service; ids, codes, URLs and receipts stay the same',
  {
    input: {
      '<file>': '',
      '--erasures <file...>': files('erasure ledgers newer than the archive, to erase again what they name'),
      '--revocations <file...>': files('revocation ledgers newer than the archive'),
    },
    below:
      '\nNeeds the SECRET_KEYS of the exported service and an empty database: a new one, or a DATA_DIR that does not exist.\n' +
      'Start the service afterwards with the same chain and BASE_URL. An embedded chain is not in the archive: copy\n' +
      'DATA_DIR/devnet (svc-admin backup contains it), or everything is anchored again on a new chain.',
    async run({ file, erasures, revocations }, admin) {
      const config = admin.config();
      await refuseMissing([file, ...erasures, ...revocations]);
      const keyring = await openKeyring(config);
      const db = await openOrCreate(config);
      try {
        const { manifest, rows, receipts } = await importArchive(db, file, keyring, counter(admin));
        const { erased } = await addedUp([...erasures, config.erasureLedger], (ledger) =>
          replayErasures(db, ledger),
        );
        const { keys: revoked } = await addedUp([...revocations, config.revocationLedger], (ledger) =>
          replayRevocations(db, ledger),
        );
        const report = await fsck(db, keyring);
        const { chain, base_url: origin } = manifest;
        const { faults, total } = report;
        const again = (count: number, what: string): string => (count > 0 ? `, ${count} ${what} again` : '');
        const lines = [
          `${rows} rows loaded, ${receipts} receipts compared${again(erased, 'etches erased')}${again(revoked, 'keys revoked')}`,
          `the chain is ${chain.name} (${chain.chain_id}), the origin was ${origin}`,
          ...faultLines(report),
        ];
        const value = { rows, receipts, erased, revoked, chain, ok: total === 0, faults };
        return { value, lines, isFault: total > 0 };
      } finally {
        await db.close();
      }
    },
  },
);

const secretsFileOf = (folder: string): string => `${folder.replace(/\/+$/, '')}.secrets.json`;

interface BackupInput {
  folder: string;
  pgBin?: string;
  secrets?: string | boolean;
}

export const backupCommand = command(
  'backup',
  'back up the database, the embedded chain and the ledgers into a new folder, secrets into a separate file',
  {
    input: {
      '<folder>': '',
      '--secrets <file>': 'where generated secrets go (default: <folder>.secrets.json, mode 0600)',
      '--no-secrets': 'write no secrets',
      '--pg-bin <folder>': 'where pg_dump is, if not where it usually is',
    },
    below:
      '\nPostgreSQL: uses pg_dump; the service may run. For a large database use pg_basebackup with an archive of the\n' +
      'write-ahead log instead, and run `svc-admin erasures replay` and `revocations replay` after each restore. Embedded:\n' +
      'stop the service first.\n' +
      'Store the secrets apart from the backup: together they decrypt every sealed text. Back up SECRET_KEYS and\n' +
      'RELAYER_PRIVATE_KEY of your settings yourself.',
    async run(given, admin) {
      // Both options set `secrets`: a file, or false.
      const { folder, pgBin, secrets } = given as BackupInput;
      const { backup, secrets: written } = await makeBackup(admin.config(), folder, {
        secrets: secrets === false ? null : typeof secrets === 'string' ? secrets : secretsFileOf(folder),
        tools: { path: admin.path, ...(pgBin && { folder: pgBin }) },
      });
      await recordBackup(admin.config(), folder, backup.made_at).catch(() =>
        admin.note('LEDGER_DIR is not writable here: svc-admin doctor will not see this backup\n'),
      );
      const lines = [
        `${backup.counts.etches} etches and ${backup.counts.accounts} accounts in ${folder}`,
        written === null
          ? 'No secrets were written.'
          : `Secrets are in ${written}: store it elsewhere, and keep it secret.`,
      ];
      return { value: { folder, secrets: written, ...backup }, lines };
    },
  },
);

export const restoreCommand = command(
  'restore',
  'put a backup where there is nothing, and erase again what was retracted since',
  {
    input: {
      '<folder>': '',
      '--secrets <file>': 'the file of secrets (default: <folder>.secrets.json where it is)',
      '--erasures <file...>': files('erasure ledgers newer than the backup'),
      '--revocations <file...>': files('revocation ledgers newer than the backup'),
      '--pg-bin <folder>': 'where pg_restore is, if not where it usually is',
    },
    below:
      '\nThe ledgers of the backup and those in LEDGER_DIR are applied too. Without an erasure ledger as new as\n' +
      'the last retraction, a text retracted since the backup comes back, unless its tombstone is found on the chain\n' +
      '(svc-admin chain check). Without a revocation ledger, an API key revoked since the backup works again. Store copies\n' +
      'of both ledgers elsewhere.\n' +
      'Restore with the relayer key of that time and start one process: it searches the chain for what the backup lacks\n' +
      'before it attests anything (docs/operating/recovery.md, "A database older than its chain").',
    async run({ folder, pgBin, secrets, erasures: newErasures, revocations: newRevocations }, admin) {
      await refuseMissing([...newErasures, ...newRevocations, ...(secrets ? [secrets] : [])]);
      const usual = secretsFileOf(folder);
      const restored = await restoreBackup(admin.config(), folder, {
        secrets: secrets ?? ((await exists(usual)) ? usual : null),
        erasures: newErasures,
        revocations: newRevocations,
        tools: { path: admin.path, ...(pgBin && { folder: pgBin }) },
      });
      const { backup, erasures, revocations } = restored;
      if (!restored.newerErasures)
        admin.note(
          'WARNING: no erasure ledger newer than the backup was given, and LEDGER_DIR has none: texts retracted since the\n' +
            'backup come back. Find a copy and run `svc-admin erasures replay <file>` before the service starts. At start the\n' +
            'service withholds etches whose tombstones it can match on the chain; run `svc-admin chain check`.\n',
        );
      if (!restored.newerRevocations)
        admin.note(
          'WARNING: no revocation ledger newer than the backup was given, and LEDGER_DIR has none: API keys revoked\n' +
            'since the backup work again. Find a copy and run `svc-admin revocations replay <file>` before the service starts.\n',
        );
      const lines = [
        `${backup.counts.etches} etches of ${backup.made_at} restored`,
        `${erasures.entries} erasures read, ${erasures.erased} etches erased again`,
        `${revocations.entries} revocations read, ${revocations.keys} keys revoked again, every session of the pages ended`,
        erasures.refused > 0 && `${erasures.refused} lines of a ledger do not fit this database`,
        revocations.refused > 0 && `${revocations.refused} lines of a revocation ledger are damaged`,
      ];
      const isFault = erasures.refused + revocations.refused > 0;
      return { value: { ...backup, erasures, revocations }, lines, isFault };
    },
  },
);
