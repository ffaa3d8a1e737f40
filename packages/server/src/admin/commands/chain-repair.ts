import { flag, needed, asIs } from '@svc/cli/command';
import { move, moveWords, planMove } from '../chain/migrate.ts';
import { eraseForgotten, giveForgottenBack } from '../chain/tombstones.ts';
import { command } from '../command.ts';
import { openKeyring, withChain, withDatabase, configError, usageError } from '../context.ts';

export const eraseCommand = command(
  'erase',
  'list etches withheld because the chain has their tombstones; with --yes erase them',
  {
    input: { '--yes': flag('erase them; this cannot be undone') },
    below:
      '\nA restored older database lacks retractions whose tombstones are on the chain. A thief of the relayer key can write\n' +
      'such tombstones too: use --yes only if a restored backup explains them. Otherwise use svc-admin chain give-back.',
    async run({ yes }, admin) {
      const { etches, done } = await withDatabase(admin.config(), (db) => eraseForgotten(db, yes));
      const outcome =
        etches.length === 0
          ? 'Nothing is withheld.'
          : yes
            ? `${done} etches are erased.`
            : `${etches.length} etches are withheld: --yes erases them for good.`;
      const lines = etches.map(({ id, tombstone }) => `${id} ${tombstone}`);
      return { value: { etches, erased: done }, lines: [...lines, outcome], isFault: etches.length > done };
    },
  },
);

export const giveBackCommand = command(
  'give-back',
  'list etches withheld for a tombstone that their author did not request; with --yes show them again',
  {
    input: {
      '<tombstone>': "its attestation's uid, as chain check and chain erase name it",
      '--yes': flag('show them; the tombstone no longer counts'),
    },
    below:
      '\nUse this for tombstones that a thief of the relayer key wrote. They stay on the chain, where verifiers see them;\n' +
      'receipts of these etches do not name them. The service no longer reports such a tombstone if it matches no etch.',
    async run({ tombstone, yes }, admin) {
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
      return { value: { etches, given_back: done, dismissed }, lines, isFault: !dismissed };
    },
  },
);

export const migrateCommand = command(
  'migrate',
  'move the database to the chain of the settings; with --yes do it, while no service runs',
  {
    input: {
      '--from-name <name>': needed(
        asIs,
        'the name of the chain that the database leaves, as readers will see it',
      ),
      '--yes': flag('do it'),
    },
    below:
      '\nSet CHAIN_NAME, CHAIN_RPC_URL, CHAIN_ID, ATTESTATION_CONTRACT, SCHEMA_UID and the explorer settings of the new\n' +
      'chain first. The chain that the database leaves is not needed. Without --yes the command prints what would happen\n' +
      'and what it costs. With --yes it changes the database in one transaction; the service then attests every tree\n' +
      'again, in order. Attestations, evidence and time stamps of the former chain stay in the database.',
    async run({ fromName, yes }, admin) {
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
      return { value: { ...plan, dry_run: !yes }, lines: moveWords(plan, yes) };
    },
  },
);
