import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './chain-setup.ts';
import { writeDurably } from './files.ts';
import { nonsense, toBlock } from '../rpc-values.ts';

/** Saves the devnet's state to the disk, a moment behind the chain. */
export interface StateSaver {
  /** Saves if there is a new block. @throws if the devnet or the disk fails */
  save(): Promise<void>;
  /** Starts watching for new blocks. */
  watch(): void;
  pause(): void;
}

const LOOK_EVERY_MS = 500;
/**
 * The pause doubles up to this while no block comes. A crash loses the blocks of one pause; the service attests them
 * again.
 */
const LONGEST_PAUSE_MS = 4_000;
/** Between a block's effect on the accounts and its appearance in the list of blocks. */
const SETTLE_MS = 10;
/** Saving may take at most one part in ten of the time, because a large state takes long to dump. */
const SHARE = 10;

export function createSaver(call: Call, path: string, onFailure: (reason: string) => void): StateSaver {
  let savedBlock: string | undefined;
  let lastTook = 0;
  let pauseMs = LOOK_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;
  let watching: object | undefined;
  let queue: Promise<void> = Promise.resolve();
  let wasFailing = false;
  let isHeld = false;

  const newest = async () => toBlock(await call('eth_getBlockByNumber', 'latest', false)).hash;

  /** anvil's state with its newest block, or undefined if another block was mined during the dump. */
  async function dumpBetweenBlocks(): Promise<{ block: string; dump: Buffer } | undefined> {
    // anvil dumps the blocks first and the accounts later: a block mined in between would be half in the state. One
    // dump of twelve under load showed this.
    const block = await newest();
    const dump = toDump(await call('anvil_dumpState'));
    await sleep(SETTLE_MS);
    return (await newest()) === block ? { block, dump } : undefined;
  }

  async function mine(automatically: boolean): Promise<void> {
    isHeld = true; // until anvil has confirmed the contrary
    await call('evm_setAutomine', automatically);
    isHeld = !automatically;
  }

  /** Under continuous load, pauses mining during the dump; transactions wait in the pool. */
  async function dumpWithMiningHeld() {
    // If a test mines manually, automatic mining stays off.
    const byItself = (await call('anvil_getAutomine')) === true;
    if (byItself) await mine(false);
    try {
      for (let attempt = 0; attempt < 20; attempt++) {
        const state = await dumpBetweenBlocks(); // the block in progress is the last one
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

/** anvil answers gzip-compressed JSON in hex. It is stored unchanged, with its checksum. */
function toDump(answer: unknown): Buffer {
  if (typeof answer !== 'string' || !answer.startsWith('0x1f8b')) throw nonsense('a state');
  const dump = Buffer.from(answer.slice(2), 'hex');
  if (dump.length !== answer.length / 2 - 1) throw nonsense('a state');
  return dump;
}
