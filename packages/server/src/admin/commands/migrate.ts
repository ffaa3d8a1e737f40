import { Command } from 'commander';
import { move, moveWords, planMove } from '../chain/migrate.ts';
import { type AdminContext, print } from '../context.ts';
import { AdminError, EXIT } from '../exit.ts';
import { withChain, withDatabase } from '../open.ts';

export function migrateCommand(context: AdminContext): Command {
  return new Command('migrate')
    .description('move the database to the chain of the settings; with --yes do it, while no service runs')
    .requiredOption(
      '--from-name <name>',
      'the name of the chain that the database leaves, as readers will see it',
    )
    .option('--yes', 'do it', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nSet CHAIN_NAME, CHAIN_RPC_URL, CHAIN_ID, ATTESTATION_CONTRACT, SCHEMA_UID and the explorer settings of the new\n' +
        'chain first. The chain that the database leaves is not needed. Without --yes the command prints what would happen\n' +
        'and what it costs. With --yes it changes the database in one transaction; the service then attests every tree\n' +
        'again, in order. Attestations, evidence and time stamps of the former chain stay in the database.',
    )
    .action(async ({ fromName, yes, json }: { fromName: string; yes: boolean; json: boolean }) => {
      const config = context.config();
      if (config.secrets.rpcUrls === undefined)
        throw new AdminError(
          EXIT.config,
          'CHAIN_RPC_URL is not set: a database moves to a chain outside the service only',
        );
      const plan = await withDatabase(config, (db) =>
        withChain(config, async (chain) => {
          const found = await planMove(db, chain, fromName);
          if (yes) await move(db, chain, fromName);
          return found;
        }),
      );
      print(context, json, { ...plan, dry_run: !yes }, moveWords(plan, yes));
    });
}
