import { formatEther } from 'viem';
import {
  AnotherChain,
  countUnknown,
  createSpend,
  ensureSameChain,
  rememberedChainId,
} from '../../anchoring/index.ts';
import { openChainClient } from '../../chain/client.ts';
import { createFeeReader } from '../../chain/fees.ts';
import { hostOf } from '../../chain/json-rpc.ts';
import { type Chain, ChainUnavailable, WrongChain, WrongSetting } from '../../chain/port.ts';
import { type Db, DatabaseUnavailable, StatementFailed } from '../../db/db.ts';
import { openChain } from '../../service/start/chain.ts';
import type { Config } from '../../settings/config.ts';
import { daysLeft } from '../../vitals/vitals.ts';
import { SILENT } from '../context.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;
const LOW_DAYS = 7;

export async function checkChain(config: Config, db: Db | undefined): Promise<Finding> {
  const { rpcUrls } = config.secrets;
  if (rpcUrls === undefined) return embedded(config);
  const silent = (await Promise.all(rpcUrls.map((url) => faultOf(url, config.chain.id)))).flatMap(
    (fault) => fault ?? [],
  );
  const wrong = silent.find(({ permanent }) => permanent);
  if (wrong) return fail(wrong.text, 'correct CHAIN_RPC_URL or CHAIN_ID: both must name the same chain');
  if (silent.length === rpcUrls.length)
    return fail(
      silent.map(({ text }) => text).join('; '),
      'correct CHAIN_RPC_URL, or name a provider that answers',
    );
  const { chain, client } = await openChain(config, SILENT, { timeoutMs: TIMEOUT_MS });
  const { anchoring: rpc } = client;
  try {
    const chainId = await rpc.chainId();
    await chain.checkContract();
    await chain.finalBlock();
    await checkBinding(db, chain);
    const unknown = db === undefined ? 0 : ((await countUnknown(db, chain).catch(unlessUnread)) ?? 0);
    const perDay = await spendPerDay(db, createFeeReader(rpc));
    if (unknown > 0) return olderThanChain(`chain ${chainId}`, unknown);
    return checkRelayer(chain, await chain.balance(), perDay, `chain ${chainId}`, silent);
  } catch (error) {
    if (!(error instanceof ChainUnavailable) && !(error instanceof AnotherChain)) throw error;
    const mend =
      error instanceof WrongSetting || error instanceof AnotherChain
        ? 'correct the setting that the message names'
        : 'wait, or add another provider to CHAIN_RPC_URL';
    return fail(error.message, mend);
  }
}

function embedded({ production }: Config): Finding {
  const detail = 'embedded development chain: its proofs convince nobody else';
  return production ? warn(detail, 'set CHAIN_RPC_URL to a public chain') : ok(detail);
}

interface UnusableEndpoint {
  text: string;
  permanent: boolean;
}

/** Shows only the host, because the path may contain a key. */
async function faultOf(url: string, chainId: number | undefined): Promise<UnusableEndpoint | undefined> {
  try {
    await openChainClient({ urls: [url], chainId, timeoutMs: TIMEOUT_MS }).anchoring.checkedChainId();
    return undefined;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return { text: `${hostOf(url)}: ${error.message}`, permanent: error instanceof WrongChain };
  }
}

/** Changes nothing, unlike a start of the service. */
async function checkBinding(db: Db | undefined, chain: Chain): Promise<void> {
  if (db === undefined) return;
  const bound = await rememberedChainId(db).catch(unlessUnread);
  if (bound !== undefined) await ensureSameChain(db, chain, { devnet: false });
}

async function spendPerDay(
  db: Db | undefined,
  feesOf: Parameters<typeof createSpend>[0]['feesOf'],
): Promise<bigint | undefined> {
  if (db === undefined) return undefined;
  const spend = await createSpend({ db, now: Date.now, feesOf })().catch(unlessUnread);
  return spend?.perDay;
}

/** The check of the database reports these errors. */
function unlessUnread(error: unknown): undefined {
  if (error instanceof DatabaseUnavailable || error instanceof StatementFailed) return undefined;
  throw error;
}

const olderThanChain = (at: string, unknown: number): Finding =>
  warn(
    `${at} has ${unknown} transaction${unknown === 1 ? '' : 's'} of the relayer that the database does not know: it is older than its chain, as after a restore, or a different program uses the key`,
    'restore the newest backup; else start the service, which searches the chain for them (docs/operating/recovery.md)',
  );

function checkRelayer(
  chain: Chain,
  balance: bigint,
  perDay: bigint | undefined,
  at: string,
  silent: readonly UnusableEndpoint[],
): Finding {
  const fund = `send coins to ${chain.relayer}`;
  if (balance === 0n) return fail(`${at}: the relayer ${chain.relayer} has no coins`, fund);
  const days = daysLeft(balance, perDay);
  const lasts = days === null ? 'its rate is unknown yet' : `lasts ${days.toFixed(1)} days at this rate`;
  const detail = `${at}: contract and schema fit; the relayer has ${formatEther(balance)}, ${lasts}`;
  if (days !== null && days < 1) return fail(detail, fund);
  if (days !== null && days < LOW_DAYS) return warn(detail, fund);
  if (silent.length > 0)
    return warn(
      `${detail}; ${silent.map(({ text }) => text).join('; ')}`,
      'correct or remove that endpoint in CHAIN_RPC_URL',
    );
  return ok(detail);
}
