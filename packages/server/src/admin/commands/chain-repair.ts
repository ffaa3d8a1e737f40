import { Command } from 'commander';
import { move, moveWords, planMove } from '../chain/migrate.ts';
import { eraseForgotten, giveForgottenBack } from '../chain/tombstones.ts';
import { type Admin, openKeyring, withChain, withDatabase, configError, usageError } from '../context.ts';

export function eraseCommand(admin: Admin): Command {
  return new Command('erase')
    .description('list etches withheld because the chain has their tombstones; with --yes erase them')
    .option('--yes', 'erase them; this cannot be undone', false)
    .addHelpText(
      'after',
      '\nA restored older database lacks retractions whose tombstones are on the chain. A thief of the relayer key can write\n' +
        'such tombstones too: use --yes only if a restored backup explains them. Otherwise use svc-admin chain give-back.',
    )
    .action(async ({ yes }: { yes: boolean }) => {
      const { etches, done } = await withDatabase(admin.config(), (db) => eraseForgotten(db, yes));
      const outcome =
        etches.length === 0
          ? 'Nothing is withheld.'
          : yes
            ? `${done} etches are erased.`
            : `${etches.length} etches are withheld: --yes erases them for good.`;
      const lines = etches.map(({ id, tombstone }) => `${id} ${tombstone}`);
      admin.print({ etches, erased: done }, [...lines, outcome], etches.length > done);
    });
}

export function giveBackCommand(admin: Admin): Command {
  return new Command('give-back')
    .description(
      'list etches withheld for a tombstone that their author did not request; with --yes show them again',
    )
    .argument('<tombstone>', "its attestation's uid, as chain check and chain erase name it")
    .option('--yes', 'show them; the tombstone no longer counts', false)
    .addHelpText(
      'after',
      '\nUse this for tombstones that a thief of the relayer key wrote. They stay on the chain, where verifiers see them;\n' +
        'receipts of these etches do not name them. The service no longer reports such a tombstone if it matches no etch.',
    )
    .action(async (tombstone: string, { yes }: { yes: boolean }) => {
      if (!/^(0x)?[0-9a-f]{64}$/i.test(tombstone))
        throw usageError(`${tombstone} is no uid: give 0x and 64 hex digits`);
      const config = admin.config();
      const { etches, done, dismissed } = await withDatabase(config, async (db) =>
        giveForgottenBack(db, await openKeyring(config), tombstone, yes),
      );
      const outcome = !yes
        ? `${etches.length} etches are withheld for it: --yes shows them again.`
        : dismissed
          ? `${done} etches are shown again; the tombstone no longer counts.`
          : 'No known tombstone has this uid: run svc-admin chain check first.';
      const lines = [...etches.map(({ id }) => id), outcome];
      admin.print({ etches, given_back: done, dismissed }, lines, !dismissed);
    });
}

export function migrateCommand(admin: Admin): Command {
  return new Command('migrate')
    .description('move the database to the chain of the settings; with --yes do it, while no service runs')
    .requiredOption(
      '--from-name <name>',
      'the name of the chain that the database leaves, as readers will see it',
    )
    .option('--yes', 'do it', false)
    .addHelpText(
      'after',
      '\nSet CHAIN_NAME, CHAIN_RPC_URL, CHAIN_ID, ATTESTATION_CONTRACT, SCHEMA_UID and the explorer settings of the new\n' +
        'chain first. The chain that the database leaves is not needed. Without --yes the command prints what would happen\n' +
        'and what it costs. With --yes it changes the database in one transaction; the service then attests every tree\n' +
        'again, in order. Attestations, evidence and time stamps of the former chain stay in the database.',
    )
    .action(async ({ fromName, yes }: { fromName: string; yes: boolean }) => {
      const config = admin.config();
      if (config.secrets.rpcUrls === undefined)
        throw configError('CHAIN_RPC_URL is not set: a database moves to a chain outside the service only');
      const plan = await withDatabase(config, (db) =>
        withChain(config, async (chain) => {
          const found = await planMove(db, chain, fromName);
          if (yes) await move(db, chain, fromName);
          return found;
        }),
      );
      admin.print({ ...plan, dry_run: !yes }, moveWords(plan, yes));
    });
}
