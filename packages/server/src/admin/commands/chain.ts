import { flag } from '@svc/cli/command';
import { formatEther } from 'viem';
import { ensureSameChain, releaseHaltedJobs } from '../../anchoring/index.ts';
import { openChainClient } from '../../chain/client.ts';
import { reopen } from '../../anchoring/ledger/transitions.ts';
import type { Chain, Hex } from '../../chain/port.ts';
import { ATTESTATION_SCHEMA, registerSchemaIfMissing, schemaUidOf } from '../../chain/schema.ts';
import type { Db } from '../../db/db.ts';
import type { Config } from '../../settings/config.ts';
import { checkChain, checkUnknown, readBack } from '../chain/check.ts';
import { checkTombstones } from '../chain/tombstones.ts';
import { countHaltedJobs, giveUpHalted, haltedTransactions, reasonToKeep } from '../chain/store.ts';
import { command, group } from '../command.ts';
import { openKeyring, withChain, withDatabase, configError } from '../context.ts';
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

const checkCommand = command(
  'check',
  'read back every attestation, compare nonces and balance, search for forgotten retractions and withhold their etches',
  {
    input: {
      '--leaves <file|url>': 'a copy of /batches, or a service that has it, for leaves of unknown trees',
    },
    below:
      '\nAn attestation by this relayer under this schema that the database does not have is a fault: the database is older\n' +
      'than its chain, or another database made it.\n' +
      'The balance is compared with the highest fees that the last fifty transactions offered. Tombstones that the database\n' +
      'does not have are matched: a tombstone of one etch by its hash, others by --leaves. Matching etches are withheld at\n' +
      'once (see chain erase, chain give-back). A tombstone without a match is a fault.',
    async run({ leaves }, admin) {
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
      const value = { ok: total === 0, checked, relayer, faults, total_faults: total };
      return { value, lines, isFault: total > 0 };
    },
  },
);

const releaseCommand = command(
  'release',
  'list what anchoring set aside, and why; with --yes give up or retry what is safe',
  {
    input: { '--yes': flag('do it') },
    below:
      '\nA transaction is set aside if its nonce is spent and the node does not show which transaction spent it, for example\n' +
      'because it prunes old states. With --yes it is given up and its etches are anchored again, if no endpoint knows a\n' +
      'signed form of it as mined and the logs have no attestation of ours at its nonce. Set every endpoint you trust in\n' +
      'CHAIN_RPC_URL before you use --yes. Etches that were set aside because a row did not match its hash are checked\n' +
      'again: repair the row first (svc-admin fsck names it).',
    async run({ yes }, admin) {
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
      return { value: result, lines, isFault: isLeft };
    },
  },
);

const relayerCommand = command(
  'relayer',
  'show the attesting address and its balance; works before the first start',
  {
    input: {},
    async run(_given, admin) {
      const found = await withChain(admin.config(), async (port) => ({
        address: port.relayer,
        balance_wei: (await port.balance()).toString(),
      }));
      const lines = [found.address, `${formatEther(BigInt(found.balance_wei))} ether`];
      return { value: found, lines };
    },
  },
);

const registerSchemaCommand = command(
  'register-schema',
  'register the schema of the service, once for each chain; reads the chain first',
  {
    input: {},
    below: `\nThe relayer pays for it. The uid is the same on every chain: SCHEMA_UID=${schemaUidOf(ATTESTATION_SCHEMA)}`,
    async run(_given, admin) {
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
      const line = txHash === null ? `${uid} is registered already` : `${uid} is registered by ${txHash}`;
      return { value: { schema_uid: uid, tx_hash: txHash }, lines: [line] };
    },
  },
);

export const chainCommand = group('chain', 'compare the database with the chain', [
  checkCommand,
  eraseCommand,
  giveBackCommand,
  releaseCommand,
  relayerCommand,
  registerSchemaCommand,
  migrateCommand,
]);

export const reAnchorCommand = command(
  're-anchor',
  'list attestations that the chain lost; with --yes the service sends them again',
  {
    input: { '--yes': flag('do it') },
    below:
      '\nThe service itself finds attestations lost in a reorganization; this command checks all of them, however old. The\n' +
      'same signed transactions are sent again, so nothing can be attested twice.',
    async run({ yes }, admin) {
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
      return { value: { ...result, dry_run: !yes }, lines, isFault: lost.length > 0 && !yes };
    },
  },
);
