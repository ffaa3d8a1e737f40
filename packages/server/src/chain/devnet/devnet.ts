import { rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDirectory } from '../../db/directory-lock.ts';
import { readIfPresent, writeDurably } from '../../db/files.ts';
import { type Anvil, AnvilFailed, endOrphan, freePort, orKill, runAnvil, startNewChain } from './anvil.ts';
import {
  anvilArguments,
  DEVNET_CHAIN_ID,
  devnetCall,
  devnetContract,
  devnetSchemaUid,
  ensureContracts,
  genesisArguments,
  newGenesis,
  parseGenesis,
  readGenesis,
  startMining,
  type Genesis,
} from './chain-setup.ts';
import { prepareDevnetFiles, relayerKey, unpackState, type DevnetFiles } from './files.ts';
import { createSaver } from './saver.ts';
import type { Hex } from '../port.ts';

export interface DevnetOptions {
  dataDir: string;
  port?: number;
  historyStates?: number;
  log: { info(message: string): void; warn(message: string): void };
}

export interface Devnet {
  readonly rpcUrl: string;
  readonly port: number;
  readonly chainId: number;
  readonly genesisHash: Hex;
  readonly contract: Hex;
  readonly schemaUid: Hex;
  readonly relayerPrivateKey: Hex;
  /** no usable state was found: earlier attestations are gone */
  readonly isFresh: boolean;
  save(): Promise<void>;
  stop(): Promise<void>;
  onExit(listener: () => void): void;
}

interface Running {
  anvil: Anvil;
  isFresh: boolean;
  genesisHash: Hex;
}

const LAST_SAVE_MS = 5_000;

export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { log } = options;
  const files = await prepareDevnetFiles(options.dataDir);
  const lock = await lockDirectory(files.directory);
  try {
    if (await endOrphan(files)) log.warn('ended the devnet that a killed process had left running');
    const relayerPrivateKey = await relayerKey(files.relayerKey);
    const preferred = options.port ?? 8545;
    let running = await startSomewhere(files, preferred, relayerPrivateKey, options);
    const { port } = running.anvil;
    if (preferred !== 0 && port !== preferred)
      log.warn(`port ${preferred} is taken: the devnet uses ${port}`);
    const call = devnetCall(port);
    const saver = createSaver(call, files.state, (reason) => log.warn(`devnet state not saved: ${reason}`));
    await saver.save();
    saver.watch();

    let stopping = false;
    const listeners: (() => void)[] = [];
    const keepRunning = async () => {
      for (;;) {
        await running.anvil.exited;
        if (stopping) return;
        saver.pause();
        log.warn('the devnet ended unexpectedly: starting it again from its last saved state');
        for (const listener of listeners) listener();
        for (let wait = 100; !stopping && !running.anvil.isRunning(); wait = Math.min(wait * 2, 5_000)) {
          try {
            running = await start(files, port, relayerPrivateKey, options);
          } catch (error) {
            log.warn(`the devnet does not start: ${(error as Error).message}`);
            await sleep(wait);
          }
        }
        if (stopping) await running.anvil.kill();
        else saver.watch();
      }
    };
    const supervision = keepRunning();

    return {
      rpcUrl: `http://127.0.0.1:${port}`,
      port,
      chainId: DEVNET_CHAIN_ID,
      genesisHash: running.genesisHash,
      contract: devnetContract,
      schemaUid: devnetSchemaUid,
      relayerPrivateKey,
      isFresh: running.isFresh,
      save: () => saver.save(),
      async stop() {
        if (stopping) return supervision;
        saver.pause();
        if (running.anvil.isRunning()) {
          await Promise.race([saver.save(), tooLate()]).catch((error: Error) =>
            log.warn(`devnet state not saved: ${error.message}`),
          );
        }
        stopping = true;
        await running.anvil.kill();
        await supervision;
        await lock.release();
      },
      onExit: (listener) => void listeners.push(listener),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function tooLate(): Promise<never> {
  await sleep(LAST_SAVE_MS, undefined, { ref: false });
  throw new Error('the devnet does not answer');
}

async function startSomewhere(files: DevnetFiles, preferred: number, key: Hex, options: DevnetOptions) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await start(files, await freePort('127.0.0.1', attempt === 0 ? preferred : 0), key, options);
    } catch (error) {
      if (attempt < 3 && isPortTaken(error)) continue;
      throw error;
    }
  }
}

async function start(files: DevnetFiles, port: number, key: Hex, options: DevnetOptions): Promise<Running> {
  const { historyStates = 4 } = options;
  const run = (...more: string[]) => runAnvil(files, port, [...anvilArguments(historyStates), ...more]);
  const saved = await unpackState(files);
  if (saved !== 'absent') {
    const result =
      saved === 'damaged' ? 'it is damaged' : await loadSaved(files, run, key).catch(loadProblem);
    await rm(files.unpacked, { force: true });
    if (typeof result !== 'string') return result;
    const aside = `${files.state}.unusable`;
    await rename(files.state, aside);
    options.log.warn(
      `the devnet's saved state cannot be used (${result}): starting afresh, kept as ${aside}`,
    );
  } else options.log.info('the devnet has no saved state: starting afresh');

  let genesis = parseGenesis(await readIfPresent(files.genesis));
  if (!genesis) await writeGenesis(files, (genesis = newGenesis()));
  const { anvil, call } = await startNewChain(files, port, { historyStates, genesis, relayerKey: key });
  return orKill(anvil, async () => ({ anvil, isFresh: true, genesisHash: (await readGenesis(call)).hash }));
}

type Run = (...more: string[]) => Promise<Anvil>;

async function loadSaved(files: DevnetFiles, run: Run, key: Hex): Promise<Running | string> {
  const load = ['--load-state', files.unpacked];
  let genesis = parseGenesis(await readIfPresent(files.genesis));
  if (!genesis) {
    const anvil = await run(...load);
    try {
      genesis = await readGenesis(devnetCall(anvil.port));
    } finally {
      await anvil.kill();
    }
    await writeGenesis(files, genesis);
  }
  const anvil = await run(...genesisArguments(genesis), ...load);
  const call = devnetCall(anvil.port);
  return orKill(anvil, async () => {
    const found = await readGenesis(call);
    let problem: string | undefined;
    if (found.timestamp !== genesis.timestamp || found.baseFee !== genesis.baseFee) {
      problem = 'it belongs to a different chain';
    } else {
      await startMining(call);
      if (!(await ensureContracts(call, key))) problem = 'the attestation contracts are missing in it';
    }
    if (problem === undefined) return { anvil, isFresh: false, genesisHash: found.hash };
    await anvil.kill();
    return problem;
  });
}

async function writeGenesis(files: DevnetFiles, { timestamp, baseFee }: Genesis): Promise<void> {
  await writeDurably(files.genesis, `${JSON.stringify({ timestamp, baseFee })}\n`);
}

function loadProblem(error: unknown): string {
  if (error instanceof AnvilFailed && !isPortTaken(error)) return 'anvil cannot load it';
  throw error;
}

const isPortTaken = (error: unknown): boolean =>
  error instanceof AnvilFailed && /in use/i.test(error.message);
