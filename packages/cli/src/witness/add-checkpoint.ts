import * as tlog from '@svc/protocol/tlog';

interface WitnessedLog {
  size: number;
  root: string;
  note: string;
}

export type WitnessState = Record<string, WitnessedLog>;

export interface WitnessKey {
  key: tlog.VerifierKey;
  sign(message: string): Uint8Array;
}

export interface WitnessAnswer {
  status: number;
  type?: string;
  body: string;
}

export interface WitnessOptions {
  witness: WitnessKey;
  logs: readonly tlog.NamedKey[];
  state: WitnessState;
  /** durable; called before the first answer with a cosignature of a checkpoint */
  save: (state: WitnessState) => void;
  now: () => number;
  /** before a cosignature; null: the index of accounts is right */
  checkIndex?: (checkpoint: tlog.Checkpoint) => Promise<WitnessAnswer | null>;
}

const MOST_HASHES = 63;
const EMPTY_ROOT = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** C2SP tlog-witness. Recomputing the index takes time, so the request is examined again afterwards. */
export async function addCheckpoint(body: string, options: WitnessOptions): Promise<WitnessAnswer> {
  const { checkIndex } = options;
  const examined = examine(body, options);
  if ('status' in examined) return examined;
  return (await checkIndex?.(examined.checkpoint)) ?? cosign(body, options);
}

/** Runs without a pause from the check of the old size to the stored state, so that two requests cannot both pass. */
function cosign(body: string, options: WitnessOptions): WitnessAnswer {
  const { witness, state, save, now } = options;
  const examined = examine(body, options);
  if ('status' in examined) return examined;
  const { checkpoint, keys } = examined;
  const { origin, size, root } = checkpoint;
  const last = state[origin];
  const time = Math.floor(now());
  const line = tlog.signatureLine(
    witness.key,
    tlog.withTime(time, witness.sign(tlog.cosignedText(checkpoint.text, time))),
  );
  const own = checkpoint.signatures.filter(({ name, keyId }) =>
    keys.some((key) => key.name === name && key.id === keyId),
  );
  const signed = `${checkpoint.text}\n${own.map((one) => `${one.line}\n`).join('')}`;
  // The stored note has an earlier cosignature of the same checkpoint: nothing to store.
  if (!last?.note.startsWith(signed)) {
    const next = { size, root: tlog.encodeBase64(root), note: `${signed}${line}\n` };
    save({ ...state, [origin]: next });
    state[origin] = next;
  }
  return { status: 200, body: `${line}\n` };
}

/** @returns the answer to a request that gets no cosignature */
function examine(
  body: string,
  { logs, state }: Pick<WitnessOptions, 'logs' | 'state'>,
): WitnessAnswer | { checkpoint: tlog.Checkpoint; keys: tlog.VerifierKey[] } {
  let request: AddCheckpoint;
  try {
    request = parseRequest(body);
  } catch (error) {
    if (!(error instanceof tlog.TlogError)) throw error;
    return rejected(400, error.message);
  }
  const { old, proof, checkpoint } = request;
  const { origin, size, root } = checkpoint;
  const last = state[origin];
  const keys = logs.map(({ key }) => key).filter(({ name }) => name === origin);
  if (keys.length === 0) return rejected(404, 'this witness does not know the log');
  if (!tlog.isSignedBy(checkpoint, keys))
    return rejected(403, 'the checkpoint has no valid signature of the log');
  if (old > size) return rejected(400, 'the old size is greater than the size');
  if (old !== (last?.size ?? 0))
    return { status: 409, type: 'text/x.tlog.size', body: `${last?.size ?? 0}\n` };
  if (size === 0 && tlog.encodeBase64(root) !== EMPTY_ROOT)
    return rejected(422, 'the root of an empty log is wrong');
  const before = { size: old, root: last === undefined ? root : tlog.decodeBase64(last.root)! };
  const isFirst = last === undefined && old === 0;
  if (isFirst ? proof.length > 0 : !tlog.isConsistent(before, { size, root }, proof))
    return rejected(422, 'the checkpoint is not consistent with the last one that this witness cosigned');
  return { checkpoint, keys };
}

interface AddCheckpoint {
  old: number;
  proof: Uint8Array[];
  checkpoint: tlog.Checkpoint;
}

function parseRequest(body: string): AddCheckpoint {
  const cut = body.indexOf('\n\n');
  const [first, ...hashes] = body.slice(0, Math.max(cut, 0)).split('\n');
  if (cut < 0 || !first?.startsWith('old ') || hashes.length > MOST_HASHES)
    throw new tlog.TlogError('a request is an old size, at most 63 hashes, an empty line, and a checkpoint');
  const proof = hashes.map((line) => {
    const hash = tlog.decodeBase64(line);
    if (hash?.length !== 32) throw new tlog.TlogError('a hash of the proof is not 32 bytes in base64');
    return hash;
  });
  return {
    old: tlog.parseSize(first.slice(4)),
    proof,
    checkpoint: tlog.parseCheckpoint(body.slice(cut + 2)),
  };
}

export const rejected = (status: number, reason: string): WitnessAnswer => ({ status, body: `${reason}\n` });
