// Opens the chain at a start, binds the database to it, and replays the ledgers.
import type { Logger } from 'pino';
import { type ChainClient, type ChainClientOptions, openChainClient } from '../../chain/client.ts';
import { type Devnet, startDevnet } from '../../chain/devnet/devnet.ts';
import { createEasChain } from '../../chain/eas.ts';
import { type Chain, ChainUnavailable, WrongSetting } from '../../chain/port.ts';
import type { Config } from '../../settings/config.ts';
import { ensureSameChain, listRelayers, rememberedChainId } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { type FormerChain, listFormerChains } from '../../etches/store.ts';
import type { AnchoringChain } from '../../etches/verify.ts';
import { replayRevocations } from '../../accounts/key-store.ts';
import { replayErasures } from '../../acts/erasure-store.ts';
import { ensureLedger } from '../../platform/flow/ledger-file.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { lookForTombstones } from '../../tombstones/match-store.ts';
import { cached } from '../../vitals/vitals.ts';

export interface ChainInUse {
  chain: Chain;
  client: ChainClient;
  devnet: Devnet | undefined;
  stop(): Promise<void>;
}

export interface StartLog {
  info(message: string): void;
  warn(message: string): void;
}

export async function openChain(
  config: Config,
  log: StartLog,
  timeouts: Pick<ChainClientOptions, 'timeoutMs'> = {},
): Promise<ChainInUse> {
  const { rpcUrls, readRpcUrls: readUrls, relayerPrivateKey } = config.secrets;
  const { name, id, contract, schemaUid, confirmations, maxFeeGwei, devnetPort: port } = config.chain;
  const devnet = rpcUrls ? undefined : await startDevnet({ dataDir: config.dataDir, port, log });
  const client = devnet
    ? openChainClient({ urls: [devnet.rpcUrl], chainId: devnet.chainId })
    : openChainClient({ urls: rpcUrls!, readUrls, chainId: id, ...timeouts });
  const chain = createEasChain({
    name,
    confirmations,
    maxFeeGwei,
    rpc: client.anchoring,
    relayerPrivateKey: devnet?.relayerPrivateKey ?? relayerPrivateKey!,
    contract: devnet?.contract ?? contract!,
    schemaUid: devnet?.schemaUid ?? schemaUid!,
    ...(devnet && { minesOnDemand: true }),
  });
  return { chain, client, devnet, stop: async () => devnet?.stop() };
}

const RELAYERS_KNOWN_FOR_MS = 30_000;

export function chainFacts(
  config: Config,
  baseUrl: string,
  { chain, devnet }: ChainInUse,
  db: Db,
): AnchoringChain {
  let known = devnet?.chainId ?? config.chain.id;
  // A service leaves a chain only while it is stopped.
  let left: FormerChain[] | undefined;
  // A different process may start with a new relayer key, so the list expires.
  const pastRelayers = cached(RELAYERS_KNOWN_FOR_MS, () => listRelayers(db));
  return {
    name: chain.name,
    embedded: devnet !== undefined,
    contract: chain.contract,
    schemaUid: chain.schemaUid,
    relayer: chain.relayer,
    publicRpcUrl: config.chain.publicRpcUrl ?? `${baseUrl}/rpc`,
    relayers: async () => [...new Set([chain.relayer, ...(await pastRelayers())])],
    former: async () => (left ??= await listFormerChains(db)),
    chainId: async () => (known ??= (await rememberedChainId(db)) ?? (await chain.identity()).chainId),
  };
}

/** Creates the file before its first entry, because backup and restore require it. */
async function createLedger(file: string): Promise<void> {
  try {
    await ensureLedger(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `LEDGER_DIR: ${file} cannot be written (${code}); set LEDGER_DIR to a folder that this user can write to`,
      {
        cause: error,
      },
    );
  }
}

/** A restored database must not bring back retracted etches. */
export async function eraseAgain(db: Db, ledger: string, log: Logger): Promise<void> {
  const { erased, takenDown, refused } = await replayErasures(db, ledger);
  await createLedger(ledger);
  if (erased > 0)
    log.warn(
      { etches: erased },
      'etches that a restored database brought back were erased again: their authors had retracted them',
    );
  if (takenDown > 0)
    log.warn(
      { descriptions: takenDown },
      'descriptions that a restored database brought back were taken down again: an operator had taken them down',
    );
  if (refused > 0)
    log.error({ lines: refused, ledger }, 'the erasure ledger has lines that do not match this database');
}

/** A restored database must not bring back revoked keys and ended sessions. */
export async function revokeAgain(db: Db, ledger: string, log: Logger): Promise<void> {
  const { keys, sessions, refused } = await replayRevocations(db, ledger);
  await createLedger(ledger);
  if (keys + sessions > 0)
    log.warn(
      { keys, sessions },
      'keys and sessions that a restored database brought back were revoked again',
    );
  if (refused > 0) log.error({ lines: refused, ledger }, 'the revocation ledger has damaged lines');
}

/** Fails for a wrong chain, but not if the chain does not answer. @returns whether it answered */
export async function bindChain(db: Db, { chain, devnet }: ChainInUse, log: Logger): Promise<boolean> {
  try {
    const found = await ensureSameChain(db, chain, { devnet: devnet !== undefined });
    if (found === 'reset') log.warn('the devnet was reset: everything is anchored again');
    return true;
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || error instanceof WrongSetting) throw error;
    const setting = devnet ? 'the embedded chain' : 'CHAIN_RPC_URL';
    log.warn(
      { reason: error.message },
      `${setting}: ${error.message}: etches are accepted, and anchored when the chain is back`,
    );
    return false;
  }
}

/** Runs before the first request. A task repeats it if the chain does not answer. */
export async function withholdRetracted(db: Db, chain: Chain, keyring: Keyring, log: Logger): Promise<void> {
  try {
    await lookForTombstones(db, chain, keyring, log);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    log.warn(
      { reason: error.message },
      'the chain cannot be searched for retractions that the database lacks',
    );
  }
}

export async function warnOfEmptyRelayer(chain: Chain, log: Logger): Promise<void> {
  const balance = await chain.balance().catch(() => undefined);
  if (balance === 0n)
    log.warn(
      { relayer: chain.relayer, chain: chain.name },
      `RELAYER_PRIVATE_KEY: its account ${chain.relayer} has no coin on ${chain.name}: etches are accepted but not anchored; send coin to it`,
    );
}
