import { Command } from 'commander';
import { makeBackup } from '../backup/backup.ts';
import { recordBackup } from '../../vitals/last-backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { type AdminContext, AdminError, EXIT, print } from '../context.ts';
import { exists } from '../open.ts';

const secretsBeside = (folder: string): string => `${folder.replace(/\/+$/, '')}.secrets.json`;

export function backupCommand(context: AdminContext): Command {
  return new Command('backup')
    .description(
      'back up the database, the embedded chain and the ledgers into a new folder, secrets into a separate file',
    )
    .argument('<folder>')
    .option('--secrets <file>', 'where generated secrets go (default: <folder>.secrets.json, mode 0600)')
    .option('--no-secrets', 'write no secrets')
    .option('--pg-bin <folder>', 'where pg_dump is, if not where it usually is')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nPostgreSQL: uses pg_dump; the service may run. For a large database use pg_basebackup with an archive of the\n' +
        'write-ahead log instead, and run `svc-admin erasures replay` and `revocations replay` after each restore. Embedded:\n' +
        'stop the service first.\n' +
        'Store the secrets apart from the backup: together they decrypt every sealed text. Back up SECRET_KEYS and\n' +
        'RELAYER_PRIVATE_KEY of your settings yourself.',
    )
    .action(async (folder: string, given: { secrets?: string | boolean; pgBin?: string; json: boolean }) => {
      const { secrets } = given;
      const { backup, secrets: written } = await makeBackup(context.config(), folder, {
        secrets: secrets === false ? null : typeof secrets === 'string' ? secrets : secretsBeside(folder),
        tools: { path: context.path, ...(given.pgBin && { folder: given.pgBin }) },
      });
      await recordBackup(context.config(), folder, backup.made_at).catch(() =>
        context.note('LEDGER_DIR is not writable here: svc-admin doctor will not see this backup\n'),
      );
      print(context, given.json, { folder, secrets: written, ...backup }, [
        `${backup.counts.etches} etches and ${backup.counts.accounts} accounts in ${folder}`,
        written === null
          ? 'No secrets were written.'
          : `Secrets are in ${written}: store it elsewhere, and keep it secret.`,
      ]);
    });
}

export function restoreCommand(context: AdminContext): Command {
  return new Command('restore')
    .description('put a backup where there is nothing, and erase again what was retracted since')
    .argument('<folder>')
    .option('--secrets <file>', 'the file of secrets (default: <folder>.secrets.json where it is)')
    .option('--erasures <file...>', 'erasure ledgers newer than the backup', [])
    .option('--revocations <file...>', 'revocation ledgers newer than the backup', [])
    .option('--pg-bin <folder>', 'where pg_restore is, if not where it usually is')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nThe ledgers of the backup and those in LEDGER_DIR are applied too. Without an erasure ledger as new as\n' +
        'the last retraction, a text retracted since the backup comes back, unless its tombstone is found on the chain\n' +
        '(svc-admin chain check). Without a revocation ledger, an API key revoked since the backup works again. Store copies\n' +
        'of both ledgers elsewhere.\n' +
        'Restore with the relayer key of that time and start one process: it searches the chain for what the backup lacks\n' +
        'before it attests anything (docs/operating/recovery.md, "A database older than its chain").',
    )
    .action(
      async (
        folder: string,
        given: {
          secrets?: string;
          erasures: string[];
          revocations: string[];
          pgBin?: string;
          json: boolean;
        },
      ) => {
        for (const file of [
          ...given.erasures,
          ...given.revocations,
          ...(given.secrets ? [given.secrets] : []),
        ])
          if (!(await exists(file))) throw new AdminError(EXIT.input, `there is no file ${file}`);
        const beside = secretsBeside(folder);
        const { backup, erasures, newerErasures, revocations, newerRevocations } = await restoreBackup(
          context.config(),
          folder,
          {
            secrets: given.secrets ?? ((await exists(beside)) ? beside : null),
            erasures: given.erasures,
            revocations: given.revocations,
            tools: { path: context.path, ...(given.pgBin && { folder: given.pgBin }) },
          },
        );
        if (!newerErasures)
          context.note(
            'WARNING: no erasure ledger newer than the backup was given, and LEDGER_DIR has none: texts retracted since the\n' +
              'backup come back. Find a copy and run `svc-admin erasures replay <file>` before the service starts. At start the\n' +
              'service withholds etches whose tombstones it can match on the chain; run `svc-admin chain check`.\n',
          );
        if (!newerRevocations)
          context.note(
            'WARNING: no revocation ledger newer than the backup was given, and LEDGER_DIR has none: API keys revoked\n' +
              'since the backup work again. Find a copy and run `svc-admin revocations replay <file>` before the service starts.\n',
          );
        print(context, given.json, { ...backup, erasures, revocations }, [
          `${backup.counts.etches} etches of ${backup.made_at} restored`,
          `${erasures.entries} erasures read, ${erasures.erased} etches erased again`,
          `${revocations.entries} revocations read, ${revocations.keys} keys revoked again, every session of the pages ended`,
          ...(erasures.refused > 0 ? [`${erasures.refused} lines of a ledger do not fit this database`] : []),
          ...(revocations.refused > 0
            ? [`${revocations.refused} lines of a revocation ledger are damaged`]
            : []),
        ]);
        if (erasures.refused + revocations.refused > 0) context.finish(EXIT.fault);
      },
    );
}
