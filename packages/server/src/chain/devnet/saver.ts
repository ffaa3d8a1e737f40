// Saves the state of the development chain after new blocks. A save replaces the file as a whole.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './chain-setup.ts';
import { writeDurably } from '../../db/files.ts';
import { unexpectedAnswer, toBlock } from '../json-rpc.ts';

const LOOK_EVERY_MS = 500;
/** Doubles up to this without a block. After a crash the service attests the lost blocks again. */
const LONGEST_PAUSE_MS = 4_000;
const SETTLE_MS = 10;
const SHARE = 10;

export function createSaver(call: Call, path: string, onFailure: (reason: string) => void) {
  let savedBlock: string | undefined;
  let lastTook = 0;
  let pauseMs = LOOK_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;
  let watching: object | undefined;
  let queue: Promise<void> = Promise.resolve();
  let wasFailing = false;
  let isHeld = false;

  const newest = async () => toBlock(await call('eth_getBlockByNumber', 'latest', false)).hash;

  async function dumpBetweenBlocks(): Promise<{ block: string; dump: Buffer } | undefined> {
    // anvil dumps blocks first, accounts later. One dump of twelve under load had half a block.
    const block = await newest();
    const dump = toDump(await call('anvil_dumpState'));
    await sleep(SETTLE_MS);
    return (await newest()) === block ? { block, dump } : undefined;
  }

  async function mine(automatically: boolean): Promise<void> {
    isHeld = true;
    await call('evm_setAutomine', automatically);
    isHeld = !automatically;
  }

  /** Runs while a loaded devnet is saved; transactions wait in the pool. */
  async function dumpWithMiningHeld() {
    // A test may mine manually.
    const byItself = (await call('anvil_getAutomine')) === true;
    if (byItself) await mine(false);
    try {
      for (let attempt = 0; attempt < 20; attempt++) {
        const state = await dumpBetweenBlocks();
        if (state) return state;
      }
      throw new Error('blocks come faster than the state can be dumped');
    } finally {
      if (byItself) await mine(true);
    }
  }

  async function saveOnce(): Promise<void> {
    if (isHeld) await mine(true);
    if ((await newest()) === savedBlock) {
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      return;
    }
    pauseMs = LOOK_EVERY_MS;
    const started = performance.now();
    const state = (await dumpBetweenBlocks()) ?? (await dumpBetweenBlocks()) ?? (await dumpWithMiningHeld());
    await writeDurably(path, state.dump);
    savedBlock = state.block;
    lastTook = performance.now() - started;
  }

  const save = () => {
    const next = queue.then(saveOnce);
    queue = next.catch(() => undefined);
    return next;
  };

  const look = async (watch: object) => {
    try {
      await save();
      wasFailing = false;
    } catch (error) {
      if (!wasFailing && watching === watch) onFailure((error as Error).message);
      wasFailing = true;
    }
    if (watching === watch) schedule(watch);
  };
  const schedule = (watch: object) => {
    timer = setTimeout(() => void look(watch), Math.max(pauseMs, lastTook * SHARE));
    timer.unref();
  };

  return {
    save,
    watch() {
      if (!watching) schedule((watching = {}));
    },
    pause() {
      clearTimeout(timer);
      watching = undefined;
    },
  };
}

function toDump(answer: unknown): Buffer {
  if (typeof answer !== 'string' || !answer.startsWith('0x1f8b')) throw unexpectedAnswer('a state');
  const dump = Buffer.from(answer.slice(2), 'hex');
  if (dump.length !== answer.length / 2 - 1) throw unexpectedAnswer('a state');
  return dump;
}
