import { hexToBytes, isHex } from '../hex.ts';
import { Fields, ReceiptError } from '../receipt-fields.ts';
import { type Checkpoint, parseCheckpoint } from '../tlog/checkpoint.ts';
import { TlogError } from '../tlog/note.ts';
import {
  ACCOUNT_ENTRY_LENGTH,
  type AccountEntry,
  decodeAccountEntry,
  IndexError,
  MAX_ACCOUNT_ENTRIES,
} from './entries.ts';
import { KEY_BITS, type OtherLeaf, type PathStep } from './map-proof.ts';

const MOST_HASHES = 63;
const MOST_COUNT = Number.MAX_SAFE_INTEGER;

/** The answer of `GET /log/index/<user id>`. */
export interface IndexAnswer {
  userId: string;
  /** with its signatures, which are not checked */
  checkpoint: Checkpoint;
  index: {
    logIndex: number;
    /** the entry of the log, 128 bytes */
    data: Uint8Array;
    /** from the entry to the root of the checkpoint */
    proof: Uint8Array[];
  };
  count: number;
  /** null without entries */
  accountRoot: Uint8Array | null;
  /** from the leaf to the root of the map */
  path: PathStep[];
  other: OtherLeaf | null;
  /** the number of entries before `entries` */
  from: number;
  before: Uint8Array[];
  entries: AccountEntry[];
  more: boolean;
}

/**
 * Checks the form only (docs/protocol.md#418-the-index-of-accounts). Ignores unknown fields.
 * @throws {IndexError} naming the first wrong field
 * @example
 * parseIndexAnswer(answer).entries.length; // 13
 */
export function parseIndexAnswer(value: unknown): IndexAnswer {
  try {
    return readAnswer(Fields.of(value, 'answer.'));
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    throw new IndexError(error.message.replace(/^answer\./, ''));
  }
}

function readAnswer(answer: Fields): IndexAnswer {
  const index = answer.object('index');
  const count = answer.integer('count', 0, MOST_COUNT);
  const from = answer.integer('from', 0, count);
  const accountRoot = answer.nullable('account_root', (name) => hexToBytes(answer.hex(name, 32)));
  const other = answer.nullable('other', (name) => {
    const leaf = answer.object(name);
    return { key: hexToBytes(leaf.hex('key', 32)), value: hexToBytes(leaf.hex('value', 40)) };
  });
  if ((count === 0) !== (accountRoot === null))
    throw new IndexError('account_root is null exactly when count is 0');
  if (count > 0 && other !== null) throw new IndexError('other is null unless count is 0');
  return {
    userId: answer.uuid('user_id'),
    checkpoint: checkpointOf(answer.text('checkpoint')),
    index: {
      logIndex: index.integer('log_index', 0, MOST_COUNT),
      data: hexToBytes(index.hex('data', 128)),
      proof: index.hashes('proof', MOST_HASHES).map(hexToBytes),
    },
    count,
    accountRoot,
    path: pathOf(answer.list('path')),
    other,
    from,
    before: answer.hashes('before', MOST_HASHES).map(hexToBytes),
    entries: entriesOf(answer.list('entries')),
    more: answer.oneOf('more', [true, false]),
  };
}

function checkpointOf(note: string): Checkpoint {
  try {
    return parseCheckpoint(note);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    throw new IndexError(`checkpoint: ${error.message}`);
  }
}

function pathOf(list: readonly unknown[]): PathStep[] {
  if (list.length > KEY_BITS) throw new IndexError(`path has more than ${KEY_BITS} steps`);
  return list.map((one, at) => {
    const step = Fields.of(one, `path[${at}].`);
    return { bit: step.integer('bit', 0, KEY_BITS - 1), hash: hexToBytes(step.hex('hash', 32)) };
  });
}

function entriesOf(list: readonly unknown[]): AccountEntry[] {
  if (list.length > MAX_ACCOUNT_ENTRIES)
    throw new IndexError(`entries has more than ${MAX_ACCOUNT_ENTRIES} entries`);
  return list.map((one, at) => {
    if (!isHex(one, ACCOUNT_ENTRY_LENGTH))
      throw new IndexError(`entries[${at}] is not ${2 * ACCOUNT_ENTRY_LENGTH} lower-case hex digits`);
    try {
      return decodeAccountEntry(hexToBytes(one));
    } catch (error) {
      if (!(error instanceof IndexError)) throw error;
      throw new IndexError(`entries[${at}]: ${error.message}`);
    }
  });
}
