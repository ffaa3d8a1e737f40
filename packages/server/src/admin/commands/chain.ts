import { Command } from 'commander';
import { formatEther } from 'viem';
import { ensureSameChain, releaseHaltedJobs } from '../../anchoring/index.ts';
import { openChainClient } from '../../chain/client.ts';
import { reopen } from '../../anchoring/ledger/moves.ts';
import type { Chain, Hex } from '../../chain/port.ts';
import { ATTESTATION_SCHEMA, registerSchemaIfMissing, schemaUidOf } from '../../chain/schema.ts';
import type { Db } from '../../db/db.ts';
import type { Config } from '../../settings/config.ts';
import { checkChain, checkUnknown, readBack } from '../chain/check.ts';
import { checkTombstones } from '../chain/tombstones.ts';
import { countHaltedJobs, giveUpHalted, haltedTransactions, reasonToKeep } from '../chain/store.ts';
import { type Admin, openKeyring, withChain, withDatabase, configError } from '../context.ts';
import { eraseCommand, giveBackCommand, migrateCommand } from './chain-repair.ts';
import { faultLines } from '../fsck/report.ts';

function withBoth<T>(config: Config, work: (db: Db, chain: Chain) => Promise<T>): Promise<T> {
  return withDatabase(config, (db) =>
    withChain(config, async (chain) => {
      await ensureSameChain(db, chain, { devnet: false });
      return work(db, chain);
    }),
  );
}

export function chainCommand(admin: Admin): Command {
  const chain = new Command('chain').description('compare the database with the chain');
  chain
    .command('check')
    .description(
      'read back every attestation, compare nonces and balance, search for forgotten retractions and withhold their etches',
    )
    .option(
      '--leaves <file|url>',
      'a copy of /batches, or a service that has it, for leaves of unknown trees',
    )
    .addHelpText(
      'after',
      '\nAn attestation by this relayer under this schema that the database does not have is a fault: the database is older\n' +
        'than its chain, or another database made it.\n' +
        'The balance is compared with the highest fees that the last fifty transactions offered. Tombstones that the database\n' +
        'does not have are matched: a tombstone of one etch by its hash, others by --leaves. Matching etches are withheld at\n' +
        'once (see chain erase, chain give-back). A tombstone without a match is a fault.',
    )
    .action(async ({ leaves }: { leaves?: string }) => {
      const config = admin.config();
      const { report, relayer } = await withBoth(config, async (db, port) => {
        const checked = await checkChain(db, port, (done) => admin.progress(`${done} attestations`));
        await checkTombstones(db, port, await openKeyring(config), { leaves, report: checked.report });
        await checkUnknown(db, port, checked.report, (block) => admin.progress(`searched to block ${block}`));
        return checked;
      });
      const { checked, faults, total } = report;
      const lines = [
        ...Object.entries({ ...checked, ...relayer }).map(
          ([what, value]) => `${what.padEnd(28)} ${String(value ?? '-')}`,
        ),
        ...faultLines(report),
        total === 0 ? 'The chain has everything.' : `${total} faults.`,
      ];
      admin.print({ ok: total === 0, checked, relayer, faults, total_faults: total }, lines, total > 0);
    });
  chain.addCommand(eraseCommand(admin));
  chain.addCommand(giveBackCommand(admin));
  chain
    .command('release')
    .description('list what anchoring set aside, and why; with --yes give up or retry what is safe')
    .option('--yes', 'do it', false)
    .addHelpText(
      'after',
      '\nA transaction is set aside if its nonce is spent and the node does not show which transaction spent it, for example\n' +
        'because it prunes old states. With --yes it is given up and its etches are anchored again, if no endpoint knows a\n' +
        'signed form of it as mined and the logs have no attestation of ours at its nonce. Set every endpoint you trust in\n' +
        'CHAIN_RPC_URL before you use --yes. Etches that were set aside because a row did not match its hash are checked\n' +
        'again: repair the row first (svc-admin fsck names it).',
    )
    .action(async ({ yes }: { yes: boolean }) => {
      const result = await withBoth(admin.config(), async (db, port) => {
        const transactions = [];
        for (const tx of await haltedTransactions(db)) {
          const kept = await reasonToKeep(db, port, tx);
          const released = kept === undefined && yes && (await giveUpHalted(db, tx.id));
          const { nonce, etches, note: why } = tx;
          transactions.push({ nonce, etches, why, kept: kept ?? null, released });
        }
        const jobs = await countHaltedJobs(db);
        return {
          transactions,
          etches: jobs,
          etches_released: yes && jobs > 0 ? await releaseHaltedJobs(db) : 0,
        };
      });
      const lines = [
        ...result.transactions.map(({ nonce, etches, kept, released }) => {
          const fate =
            kept ?? (released ? 'given up: its etches are queued again' : 'may be given up: use --yes');
          return `nonce ${nonce}, ${etches} etches: ${fate}`;
        }),
        result.etches > 0 &&
          `${result.etches} etches set aside${yes ? ', to be checked again' : ': --yes checks them again'}`,
        result.transactions.length + result.etches === 0 && 'Nothing is set aside.',
      ];
      const isLeft = result.transactions.some(({ released }) => !released) || (!yes && result.etches > 0);
      admin.print(result, lines, isLeft);
    });
  chain
    .command('relayer')
    .description('show the attesting address and its balance; works before the first start')
    .action(async () => {
      const found = await withChain(admin.config(), async (port) => ({
        address: port.relayer,
        balance_wei: (await port.balance()).toString(),
      }));
      admin.print(found, [found.address, `${formatEther(BigInt(found.balance_wei))} ether`]);
    });
  chain.addCommand(registerSchemaCommand(admin));
  chain.addCommand(migrateCommand(admin));
  return chain;
}

function registerSchemaCommand(admin: Admin): Command {
  return new Command('register-schema')
    .description('register the schema of the service, once for each chain; reads the chain first')
    .addHelpText(
      'after',
      `\nThe relayer pays for it. The uid is the same on every chain: SCHEMA_UID=${schemaUidOf(ATTESTATION_SCHEMA)}`,
    )
    .action(async () => {
      const { chain, secrets } = admin.config();
      if (!secrets.rpcUrls || !secrets.relayerPrivateKey || !chain.contract)
        throw configError('the embedded chain has the schema: set CHAIN_RPC_URL for a different one');
      const uid = schemaUidOf(ATTESTATION_SCHEMA);
      if (chain.schemaUid !== uid)
        throw configError(`the schema of this service has a different uid: set SCHEMA_UID=${uid}`);
      const { txHash } = await registerSchemaIfMissing({
        rpc: openChainClient({ urls: secrets.rpcUrls, chainId: chain.id }).anchoring,
        privateKey: secrets.relayerPrivateKey,
        contract: chain.contract,
        maxFeeGwei: chain.maxFeeGwei,
      });
      admin.print({ schema_uid: uid, tx_hash: txHash }, [
        txHash === null ? `${uid} is registered already` : `${uid} is registered by ${txHash}`,
      ]);
    });
}

export function reAnchorCommand(admin: Admin): Command {
  return new Command('re-anchor')
    .description('list attestations that the chain lost; with --yes the service sends them again')
    .option('--yes', 'do it', false)
    .addHelpText(
      'after',
      '\nThe service itself finds attestations lost in a reorganization; this command checks all of them, however old. The\n' +
        'same signed transactions are sent again, so nothing can be attested twice.',
    )
    .action(async ({ yes }: { yes: boolean }) => {
      const result = await withBoth(admin.config(), async (db, port) => {
        const gone = new Map<number, { nonce: number; roots: string[]; blockHash: Hex }>();
        let checked = 0;
        for await (const { batch, gone: isGone } of readBack(db, port)) {
          checked++;
          if (!isGone) continue;
          const { nonce, blockHash, txId } = batch;
          const found = gone.get(txId) ?? { nonce, roots: [], blockHash };
          found.roots.push(batch.root.toString('hex'));
          gone.set(txId, found);
        }
        const transactions = [];
        for (const [id, { blockHash, ...lost }] of gone)
          transactions.push({ ...lost, reopened: yes && (await db.tx((tx) => reopen(tx, id, blockHash))) });
        return { checked, transactions };
      });
      const lost = result.transactions;
      const lines = [
        ...lost.map(
          ({ nonce, roots, reopened }) =>
            `nonce ${nonce}: ${roots.join(', ')}${reopened ? ' is sent again' : ''}`,
        ),
        lost.length === 0
          ? `All ${result.checked} attestations are on the chain.`
          : yes
            ? 'The running service sends them again.'
            : `${lost.length} transactions are gone. Nothing was changed: use --yes to send them again.`,
      ];
      admin.print({ ...result, dry_run: !yes }, lines, lost.length > 0 && !yes);
    });
}
