import { Command } from 'commander';
import { eraseForgotten, giveForgottenBack } from '../chain/tombstones.ts';
import { type AdminContext, print } from '../context.ts';
import { AdminError, EXIT } from '../exit.ts';
import { openKeyring, withDatabase } from '../open.ts';

export function eraseCommand(context: AdminContext): Command {
  return new Command('erase')
    .description(
      'etches withheld because the chain holds their tombstones: names them, and with --yes erases them',
    )
    .option('--yes', 'do it: nothing brings the texts back', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nAn older database has forgotten retractions that the chain still holds. Whoever has the relayer key can write such\n' +
        'tombstones too: erase when you restored a backup and know why the database had forgotten them. Otherwise see\n' +
        'svc-admin chain give-back.',
    )
    .action(async ({ yes, json }: { yes: boolean; json: boolean }) => {
      const result = await withDatabase(context.config(), (db) => eraseForgotten(db, yes));
      print(context, json, { etches: result.etches, erased: result.done }, [
        ...result.etches.map(({ id, tombstone }) => `${id} ${tombstone}`),
        result.etches.length === 0
          ? 'Nothing is withheld.'
          : yes
            ? `${result.done} etches are erased.`
            : `${result.etches.length} etches are withheld: --yes erases them for good.`,
      ]);
      if (result.etches.length > result.done) context.finish(EXIT.fault);
    });
}

export function giveBackCommand(context: AdminContext): Command {
  return new Command('give-back')
    .description(
      "etches withheld for a tombstone that was not their author's: names them, and with --yes shows them again",
    )
    .argument('<tombstone>', "its attestation's uid, as chain check and chain erase name it")
    .option('--yes', 'do it: the tombstone counts no more', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nFor tombstones that a thief of the relayer key wrote. They stay on the chain, where verifiers see them: receipts of\n' +
        'these etches do not name them. Also ends the fault of a tombstone that fits nothing here.',
    )
    .action(async (tombstone: string, { yes, json }: { yes: boolean; json: boolean }) => {
      if (!/^(0x)?[0-9a-f]{64}$/i.test(tombstone))
        throw new AdminError(EXIT.usage, `${tombstone} is no uid: 0x and 64 hex digits`);
      const config = context.config();
      const result = await withDatabase(config, async (db) =>
        giveForgottenBack(db, await openKeyring(config), tombstone, yes),
      );
      print(context, json, { etches: result.etches, given_back: result.done, dismissed: result.dismissed }, [
        ...result.etches.map(({ id }) => id),
        yes
          ? result.dismissed
            ? `${result.done} etches are given back; the tombstone counts no more.`
            : 'No tombstone of this uid was found before.'
          : `${result.etches.length} etches are withheld for it: --yes gives them back.`,
      ]);
      if (!result.dismissed) context.finish(EXIT.fault);
    });
}
