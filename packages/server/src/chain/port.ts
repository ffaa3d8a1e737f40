/**
 * What the service needs from a chain (docs/decisions/0012-stage-sign-store-send.md). Bytes are `0x` hex strings, times
 * are whole seconds since 1970, amounts are wei.
 *
 * Every method may throw `ChainUnavailable` (down, slow, or nonsense): callers wait and retry. `null` means "this node
 * does not know", which is never evidence that a thing does not exist.
 */
export type Hex = `0x${string}`;

export interface Block {
  number: number;
  hash: Hex;
  timestamp: number;
  /** wei per gas */
  baseFeePerGas: bigint;
}

export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** One entry of a `multiAttest`; `data` is the ABI-encoded attestation data. */
export interface AttestationRequest {
  data: Hex;
  revocable: boolean;
}

interface SignRequest extends Fees {
  nonce: number;
  calldata: Hex;
  gas: bigint;
}

/** An `Attested` or `Revoked` log of our contract, by our relayer, under our schema. */
export interface AttestationLog {
  event: 'Attested' | 'Revoked';
  uid: Hex;
}

export interface Receipt {
  txHash: Hex;
  blockNumber: number;
  blockHash: Hex;
  succeeded: boolean;
  /** only logs with our emitter, attester and schema */
  logs: AttestationLog[];
}

/** A mined transaction signed by our key. Its signature was checked, so no node can invent one. */
export interface OwnTransaction {
  hash: Hex;
  nonce: number;
  to: Hex | null;
  calldata: Hex;
  /** the signed bytes */
  raw: Hex;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  blockNumber: number;
  blockHash: Hex;
}

export interface Attestation {
  uid: Hex;
  schema: Hex;
  attester: Hex;
  /** seconds; the block's time */
  time: number;
  /** seconds; 0 if not revoked */
  revocationTime: number;
  revocable: boolean;
  data: Hex;
}

/** The node's answer to a sent transaction. After anything but `rejected`, read the chain. */
export type SendOutcome = 'accepted' | 'already-known' | 'nonce-too-low' | 'underpriced' | 'rejected';

interface ChainIdentity {
  chainId: number;
  genesisHash: Hex;
}

export interface Chain {
  readonly name: string;
  /** the attester */
  readonly relayer: Hex;
  /** the EAS contract and the schema */
  readonly contract: Hex;
  readonly schemaUid: Hex;
  /** the highest fee per gas, wei */
  readonly maxFeePerGas: bigint;
  /** mines an empty block on a devnet; absent elsewhere */
  mineEmptyBlock?(): Promise<void>;

  identity(): Promise<ChainIdentity>;
  /** Can anchoring use this contract and this schema? Checked before the database is bound to them. @throws WrongSetting */
  checkContract(): Promise<void>;
  head(): Promise<Block>;
  /** The newest final block: `confirmations` deep, or the chain's `safe` tag. */
  finalBlock(): Promise<Block>;
  blockByNumber(number: number): Promise<Block | null>;
  /** Do all endpoints that have this number have this block? They may follow different forks. null: none has it. */
  isAgreed(block: Pick<Block, 'number' | 'hash'>): Promise<boolean | null>;
  /** The relayer's next nonce at the head (mined transactions only). */
  minedNonce(): Promise<number>;
  balance(): Promise<bigint>;
  /** Fees for early inclusion, at most the cap; `capped` if the chain asks for more. */
  fees(): Promise<Fees & { capped: boolean }>;
  /** Includes a margin of a fifth. If the contract would revert, throws `ChainUnavailable` with the node's words. */
  estimateGas(calldata: Hex): Promise<bigint>;

  encodeAttest(requests: readonly AttestationRequest[]): Hex;
  encodeRevoke(uids: readonly Hex[]): Hex;
  /** The input of `encodeAttest`; null for calldata that it would not have written. */
  decodeAttest(calldata: Hex): AttestationRequest[] | null;
  /** Signs offline. */
  sign(request: SignRequest): Promise<{ raw: Hex; hash: Hex }>;
  send(raw: Hex): Promise<{ outcome: SendOutcome; message?: string }>;
  receipt(txHash: Hex): Promise<Receipt | null>;
  /**
   * A mined transaction's receipt and block if every endpoint gives the same, else null. For steps that cannot be
   * undone.
   */
  agreedReceipt(txHash: Hex): Promise<{ receipt: Receipt; block: Block } | null>;
  /**
   * Transactions in these blocks in which our relayer attested under our schema, by the logs of every endpoint that
   * answers. If a provider rejects the range as too large, it throws `NodeError`.
   */
  attestedIn(fromBlock: number, toBlock: number): Promise<Hex[]>;
  /**
   * Attestations and revocations by these relayers under our schema in these blocks, by the logs of every endpoint that
   * answers.
   */
  attestationsIn(fromBlock: number, toBlock: number, relayers: readonly Hex[]): Promise<AttestationLog[]>;
  /** A mined transaction of our key; null if no node shows it as mined, or if another key signed it. */
  ownTransaction(txHash: Hex): Promise<OwnTransaction | null>;
  /** Does the node have the transaction, in the mempool or mined? */
  knows(txHash: Hex): Promise<boolean>;
  attestation(uid: Hex): Promise<Attestation | null>;
}

export class ChainUnavailable extends Error {
  override name = 'ChainUnavailable';
}

/** The chain contradicts a setting; the message starts with its name. The service does not start. */
export class WrongSetting extends ChainUnavailable {
  override name = 'WrongSetting';
}

/** Every endpoint that answers serves another chain than expected. */
export class WrongChain extends WrongSetting {
  override name = 'WrongChain';
}
