import type { Call } from './devnet-chain.ts';
import { writeDurably } from './devnet-files.ts';
import { nonsense, toBlock } from './rpc-values.ts';

/** Keeps the devnet's state on the disk, a moment behind the chain. */
export interface StateSaver {
  /** Saves if there is a new block. @throws when the devnet or the disk refuses */
  save(): Promise<void>;
  /** Looks for new blocks from now on. */
  watch(): void;
  pause(): void;
}

const LOOK_EVERY_MS = 500;
/** A large state takes long to dump: saving may take this part of the time at most. */
const SHARE = 10;

export function createSaver(call: Call, path: string, onFailure: (reason: string) => void): StateSaver {
  let savedBlock: string | undefined;
  let lastTook = 0;
  let timer: NodeJS.Timeout | undefined;
  let watching: object | undefined;
  let queue: Promise<void> = Promise.resolve();
  let wasFailing = false;

  const newest = async () => toBlock(await call('eth_getBlockByNumber', 'latest', false)).hash;

  async function saveOnce(): Promise<void> {
    // A block mined while the state is being dumped would be half in it: then dump again.
    for (let attempt = 0; attempt < 5; attempt++) {
      const before = await newest();
      if (before === savedBlock) return;
      const started = performance.now();
      const dump = toDump(await call('anvil_dumpState'));
      if ((await newest()) !== before) continue;
      await writeDurably(path, dump);
      savedBlock = before;
      lastTook = performance.now() - started;
      return;
    }
    throw new Error('blocks come faster than the state can be dumped');
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
    timer = setTimeout(() => void look(watch), Math.max(LOOK_EVERY_MS, lastTook * SHARE));
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

/** anvil answers gzip-compressed JSON in hex: stored as it is, its checksum included. */
function toDump(answer: unknown): Buffer {
  if (typeof answer !== 'string' || !answer.startsWith('0x1f8b')) throw nonsense('a state');
  const dump = Buffer.from(answer.slice(2), 'hex');
  if (dump.length !== answer.length / 2 - 1) throw nonsense('a state');
  return dump;
}
