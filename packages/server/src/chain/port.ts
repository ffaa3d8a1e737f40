// The interface between the service and a chain.
import type { DecodedAttestation as Attestation } from '@svc/verifier';

/**
 * Bytes are `0x` hex, times whole seconds since 1970, amounts wei. Every method may throw `ChainUnavailable`:
 * callers retry. `null` means "this node lacks it", which is no evidence of absence.
 */
export type Hex = `0x${string}`;

export interface Block {
  number: number;
  hash: Hex;
  timestamp: number;
  baseFeePerGas: bigint;
}

export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

export interface AttestationRequest {
  data: Hex;
  revocable: boolean;
}

interface SignRequest extends Fees {
  nonce: number;
  calldata: Hex;
  gas: bigint;
}

/** An attestation by our relayer under our contract and schema. */
export interface AttestationLog {
  event: 'Attested' | 'Revoked';
  uid: Hex;
}

export interface Receipt {
  txHash: Hex;
  blockNumber: number;
  blockHash: Hex;
  succeeded: boolean;
  logs: AttestationLog[];
}

/** Sent by one of our keys. Its signature was checked, so no node can invent one. */
export interface OwnTransaction {
  hash: Hex;
  sender: Hex;
  nonce: number;
  to: Hex | null;
  calldata: Hex;
  raw: Hex;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  blockNumber: number;
  blockHash: Hex;
}

export type { Attestation };

/** Read the chain after every outcome except `rejected`. */
export type SendOutcome = 'accepted' | 'already-known' | 'nonce-too-low' | 'underpriced' | 'rejected';

export interface Chain {
  readonly name: string;
  readonly relayer: Hex;
  readonly contract: Hex;
  readonly schemaUid: Hex;
  readonly maxFeePerGas: bigint;
  mineEmptyBlock?(): Promise<void>;

  identity(): Promise<{ chainId: number; genesisHash: Hex }>;
  /** Runs before the database is bound to it. @throws WrongSetting */
  checkContract(): Promise<void>;
  head(): Promise<Block>;
  finalBlock(): Promise<Block>;
  blockByNumber(number: number): Promise<Block | null>;
  /** Queries all endpoints that have this number; null: none has it. */
  isAgreed(block: Pick<Block, 'number' | 'hash'>): Promise<boolean | null>;
  /** Counts the transactions of a key at the head. `sender`, here and below: default `relayer`. */
  minedNonce(sender?: Hex): Promise<number>;
  balance(): Promise<bigint>;
  /** Fees for early inclusion; `capped` if the chain requires more. */
  fees(): Promise<Fees & { capped: boolean }>;
  /** Adds a fifth. Throws the node's words if the contract would revert. */
  estimateGas(calldata: Hex): Promise<bigint>;

  encodeAttest(requests: readonly AttestationRequest[]): Hex;
  encodeRevoke(uids: readonly Hex[]): Hex;
  /** Null if `encodeAttest` would not have written it. */
  decodeAttest(calldata: Hex): AttestationRequest[] | null;
  sign(request: SignRequest): Promise<{ raw: Hex; hash: Hex }>;
  send(raw: Hex): Promise<{ outcome: SendOutcome; message?: string }>;
  receipt(txHash: Hex, sender?: Hex): Promise<Receipt | null>;
  /** Used for steps that cannot be undone: null unless every endpoint gives the same answer. */
  agreedReceipt(txHash: Hex, sender?: Hex): Promise<{ receipt: Receipt; block: Block } | null>;
  /** Merges the logs of every endpoint that answers. Throws `NodeError` if a provider rejects the range. */
  attestedIn(fromBlock: number, toBlock: number, senders?: readonly Hex[]): Promise<Hex[]>;
  attestationsIn(fromBlock: number, toBlock: number, relayers: readonly Hex[]): Promise<AttestationLog[]>;
  /** Null if not mined, or of a different sender. */
  ownTransaction(txHash: Hex, senders?: readonly Hex[]): Promise<OwnTransaction | null>;
  knows(txHash: Hex): Promise<boolean>;
  attestation(uid: Hex): Promise<Attestation | null>;
}

export class ChainUnavailable extends Error {
  override name = 'ChainUnavailable';
}

/** Starts with the setting's name. The service does not start. */
export class WrongSetting extends ChainUnavailable {
  override name = 'WrongSetting';
}

export class WrongChain extends WrongSetting {
  override name = 'WrongChain';
}
