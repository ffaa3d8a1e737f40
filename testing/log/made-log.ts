import { ed25519 } from '@noble/curves/ed25519.js';
import { buildTree, encodeAttestationData, etchLeaf, packLeaves } from '@svc/protocol';
import { AccountIndex, encodeIndexData, run } from '@svc/protocol/account-index';
import * as tlog from '@svc/protocol/tlog';

const secret = new Uint8Array(32).fill(6);

interface MadeLog {
  vkey: string;
  entries: Uint8Array[];
  leaves: Map<number, Uint8Array>;
  /** paths, since the test cleared them */
  asked: string[];
  /** Logs a tree. @param hashes of the etches, by two digits each */
  addTree(userId: string, ...hashes: string[]): void;
  addIndex(covered?: number, root?: Uint8Array): void;
  readonly read: tlog.ReadSubtree;
  checkpoint(size?: number): Promise<{ size: number; root: Uint8Array }>;
  note(size?: number): Promise<string>;
  /** As a service at `<url>/<path>`; null: 404. */
  answer(path: string): Buffer | null;
}

/** A log in memory with an index entry after each tree. Its own key signs it. */
export function makeLog(origin = 'svc.example/log'): MadeLog {
  const publicKey = ed25519.getPublicKey(secret);
  const key = tlog.verifierKey(origin, tlog.LOG_KEY, publicKey);
  const index = new AccountIndex();
  const log: MadeLog = {
    vkey: tlog.writeVerifierKey(origin, tlog.LOG_KEY, publicKey),
    entries: [],
    leaves: new Map(),
    asked: [],
    addTree(userId, ...hashes) {
      const some = hashes.map((digits) => ({ user_id: userId, hash: digits.repeat(32) }));
      const tree = buildTree(some.map(({ user_id, hash }) => etchLeaf(2, user_id, hash)));
      const packed = packLeaves(2, some);
      const logIndex = log.entries.length;
      log.leaves.set(logIndex, packed);
      log.entries.push(
        encodeAttestationData({ root: tree.root, kind: 0, treeVersion: 2, treeSize: some.length }),
      );
      run(index.addTree({ logIndex, kind: 0, packed }));
    },
    addIndex(covered = log.entries.length, root = run(index.root())) {
      log.entries.push(encodeIndexData({ root, covered }));
    },
    get read(): tlog.ReadSubtree {
      const hashes = log.entries.map((data) => tlog.entryHash(data));
      return async (height, at) => tlog.foldHashes(hashes.slice(at * 2 ** height, (at + 1) * 2 ** height));
    },
    async checkpoint(size = log.entries.length) {
      return { size, root: await tlog.rootAt(size, log.read) };
    },
    async note(size = log.entries.length) {
      const text = tlog.checkpointText({ origin, ...(await log.checkpoint(size)) });
      return `${text}\n${tlog.signatureLine(key, ed25519.sign(Buffer.from(text), secret))}\n`;
    },
    answer(path) {
      log.asked.push(path);
      if (path.startsWith('leaves/')) {
        const found = log.leaves.get(Number(path.slice('leaves/'.length)));
        return found === undefined ? null : Buffer.from(found);
      }
      const tile = tlog.parseTilePath(path.replace(/^tile\//, ''));
      if (tile?.level !== 'entries') return null;
      const from = tile.index * tlog.TILE_WIDTH;
      const some = log.entries.slice(from, from + tile.width);
      return Buffer.concat(some.flatMap((data) => [Buffer.of(0, data.length), data]));
    },
  };
  return log;
}
