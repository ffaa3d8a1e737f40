import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@svc/protocol';
import {
  accountKey,
  accountLeaf,
  decodeAccountEntry,
  encodeIndexData,
  mapLeaf,
  mapValue,
  resumeAccount,
} from '@svc/protocol/account-index';
import * as tlog from '@svc/protocol/tlog';

const secret = new Uint8Array(32).fill(8);
const publicKey = ed25519.getPublicKey(secret);

export const keyOf = (origin: string): tlog.VerifierKey => tlog.verifierKey(origin, tlog.LOG_KEY, publicKey);

interface SmallLog {
  origin?: string;
  userId: string;
  /** the entries before the index entry */
  log: Uint8Array[];
  /** of the account, as hex; the index has no other account */
  entries?: string[];
  covered?: number;
  /** changes what the service serves, after the checkpoint was signed */
  serve?: (log: Uint8Array[]) => Uint8Array[];
  /** lines behind the signature of the log */
  cosignatures?: string;
}

/** A signed log of at most 256 entries, whose last one is an index entry, and its answer for one account. */
export async function smallLog({
  origin = 'svc.example/log',
  userId,
  log,
  entries = [],
  covered = log.length,
  serve = (all) => all,
  cosignatures = '',
}: SmallLog) {
  const tree = resumeAccount(0, []);
  for (const entry of entries) tree.add(accountLeaf(decodeAccountEntry(hexToBytes(entry))));
  const isEmpty = entries.length === 0;
  const root = isEmpty
    ? new Uint8Array(32)
    : mapLeaf(accountKey(userId), mapValue(entries.length, tree.root()));
  const data = encodeIndexData({ root, covered });
  const all = [...log, data];
  const hashes = all.map((one) => tlog.entryHash(one));
  const read: tlog.ReadSubtree = (height, index) =>
    Promise.resolve(tlog.foldHashes(hashes.slice(index * 2 ** height, (index + 1) * 2 ** height)));
  const size = all.length;
  const text = tlog.checkpointText({ origin, size, root: await tlog.rootAt(size, read) });
  const signature = ed25519.sign(new TextEncoder().encode(text), secret);
  const answer = {
    user_id: userId,
    checkpoint: `${text}\n${tlog.signatureLine(keyOf(origin), signature)}\n${cosignatures}`,
    index: {
      log_index: size - 1,
      data: bytesToHex(data),
      proof: (await tlog.proveInclusion(size - 1, size, read)).map(bytesToHex),
    },
    count: entries.length,
    account_root: isEmpty ? null : bytesToHex(tree.root()),
    path: [],
    other: null,
    from: 0,
    before: [],
    entries,
    more: false,
  };
  const bytesOf = (path: string): Uint8Array | null => {
    if (path.startsWith('index/')) return new TextEncoder().encode(JSON.stringify(answer));
    if (path.startsWith('tile/entries/'))
      return Buffer.concat(serve(all).flatMap((one) => [Buffer.of(0, one.length), one]));
    return path.startsWith('tile/0/') ? Buffer.concat(hashes) : null;
  };
  const get = (path: string) => {
    const bytes = bytesOf(path);
    return Promise.resolve({ status: bytes === null ? 404 : 200, retryAfter: null, bytes });
  };
  return { answer, reader: { url: 'https://svc.example/log', get } };
}
