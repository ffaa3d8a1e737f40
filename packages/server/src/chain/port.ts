/**
 * What the service needs of a chain (docs/decisions/0012-stage-sign-store-send.md). Bytes are `0x` hex
 * strings, times are whole seconds since 1970, amounts are wei.
 *
 * Every method may throw `ChainUnavailable` (down, slow, or answers nonsense): callers wait and try again.
 * An answer of `null` means "this node does not know", which is never evidence that a thing does not exist.
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

/** An `Attested` or `Revoked` log of our contract, by our relayer, under our schema, in log order. */
export interface AttestationLog {
  event: 'Attested' | 'Revoked';
  uid: Hex;
}

export interface Receipt {
  txHash: Hex;
  blockNumber: number;
  blockHash: Hex;
  succeeded: boolean;
  /** only logs whose emitter, attester and schema are ours */
  logs: AttestationLog[];
}

/** A transaction that our key signed, as the chain holds it. Its signature was checked: no node can make one up. */
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
  /** seconds; 0 when not revoked */
  revocationTime: number;
  revocable: boolean;
  data: Hex;
}

/** Why the node did not take a transaction. Everything but `rejected` means: ask the chain. */
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
  /** the cap of what a gas unit may cost, wei */
  readonly maxFeePerGas: bigint;
  /** lets a test chain be told to make an empty block (idle devnet); absent elsewhere */
  mineEmptyBlock?(): Promise<void>;

  identity(): Promise<ChainIdentity>;
  /** Can anchoring work with this contract and this schema? Asked before they are written down. @throws WrongSetting */
  checkContract(): Promise<void>;
  head(): Promise<Block>;
  /** The newest block that counts as final: `confirmations` deep, or the chain's `safe` tag. */
  finalBlock(): Promise<Block>;
  blockByNumber(number: number): Promise<Block | null>;
  /** Is it this block wherever its number is known? Endpoints may follow different forks. null: nobody knows it. */
  isAgreed(block: Pick<Block, 'number' | 'hash'>): Promise<boolean | null>;
  /** The relayer's next nonce at the head (mined transactions only). */
  minedNonce(): Promise<number>;
  balance(): Promise<bigint>;
  /** Fees for inclusion soon, at most the cap; `capped` when the chain asks for more than the cap. */
  fees(): Promise<Fees & { capped: boolean }>;
  /** With a fifth to spare. A call that the contract would refuse is `ChainUnavailable`, with the node's words. */
  estimateGas(calldata: Hex): Promise<bigint>;

  encodeAttest(requests: readonly AttestationRequest[]): Hex;
  encodeRevoke(uids: readonly Hex[]): Hex;
  /** What `encodeAttest` was given; null for calldata that it would not have written. */
  decodeAttest(calldata: Hex): AttestationRequest[] | null;
  /** Signs offline; no network. */
  sign(request: SignRequest): Promise<{ raw: Hex; hash: Hex }>;
  send(raw: Hex): Promise<{ outcome: SendOutcome; message?: string }>;
  receipt(txHash: Hex): Promise<Receipt | null>;
  /** A mined transaction's receipt and block when every endpoint answers the same, else null: for what cannot be undone. */
  agreedReceipt(txHash: Hex): Promise<{ receipt: Receipt; block: Block } | null>;
  /**
   * Transactions in these blocks in which our relayer attested under our schema, by the logs of every endpoint that
   * answers. Providers bound how many blocks one question may cover: a refused one is a `NodeError`.
   */
  attestedIn(fromBlock: number, toBlock: number): Promise<Hex[]>;
  /** What these relayers attested and revoked under our schema in these blocks, likewise by the logs of every endpoint that answers. */
  attestationsIn(fromBlock: number, toBlock: number, relayers: readonly Hex[]): Promise<AttestationLog[]>;
  /** A mined transaction of our key; null when no node shows it as mined, or somebody else signed it. */
  ownTransaction(txHash: Hex): Promise<OwnTransaction | null>;
  /** Is the transaction known at all (mempool or chain)? */
  knows(txHash: Hex): Promise<boolean>;
  attestation(uid: Hex): Promise<Attestation | null>;
}

export class ChainUnavailable extends Error {
  override name = 'ChainUnavailable';
}

/** The chain is not what a setting says of it; the message begins with its name. To be refused at start. */
export class WrongSetting extends ChainUnavailable {
  override name = 'WrongSetting';
}

/** Every endpoint that could be asked serves another chain than the one expected. */
export class WrongChain extends WrongSetting {
  override name = 'WrongChain';
}
