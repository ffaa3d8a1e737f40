// The chain as anchoring uses it (port.ts), through the attestation contract of EAS.
import { isAddress, isHex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  decodeAttest,
  decodeLogs,
  decodeReceipt,
  encodeAttest,
  encodeRevoke,
  logsFilter,
  readAttestation,
} from './eas-codec.ts';
import { type Rpc, mostTelling } from './client.ts';
import { feeCap, feesFor, gasWithMargin } from './fees.ts';
import { NodeError, unexpectedAnswer, toBigInt, toBlock, toHash, toNumber, toRecord } from './json-rpc.ts';
import { readOwnTransaction } from './own-transaction.ts';
import {
  ChainUnavailable,
  type AttestationLog,
  type Block,
  type Chain,
  type Hex,
  type Receipt,
  type SendOutcome,
} from './port.ts';
import { checkContract } from './schema.ts';
import { classifyRefusal, isAboutTransaction } from './send-outcome.ts';

export interface EasChainOptions {
  name: string;
  rpc: Rpc;
  relayerPrivateKey: Hex;
  contract: Hex;
  schemaUid: Hex;
  /** 1: the head is final; n: the block n - 1 below it; `safe`: the chain's tag */
  confirmations: number | 'safe';
  maxFeeGwei: number;
  minesOnDemand?: boolean;
}

/** When endpoints differ, the first of these counts. */
const BEST_FIRST: readonly SendOutcome[] = [
  'accepted',
  'already-known',
  'nonce-too-low',
  'underpriced',
  'rejected',
];

/** With a wrong chain id every method throws `WrongChain`. */
export function createEasChain(options: EasChainOptions): Chain {
  if (!isAddress(options.contract, { strict: false })) throw new Error('contract is not an address');
  if (!isHex(options.schemaUid) || options.schemaUid.length !== 66)
    throw new Error('schema uid is not 32 bytes');
  const { rpc } = options;
  const account = privateKeyToAccount(options.relayerPrivateKey);
  const relayer = account.address.toLowerCase() as Hex;
  const contract = options.contract.toLowerCase() as Hex;
  const schemaUid = options.schemaUid.toLowerCase() as Hex;
  const cap = feeCap(options.maxFeeGwei);
  const filter = { contract, schemaUid };

  const block = (tag: string) => rpc.requestKnown('eth_getBlockByNumber', [tag, false], decodeBlock);
  const knownBlock = async (tag: string): Promise<Block> => {
    const found = await block(tag);
    if (!found)
      throw new ChainUnavailable(
        tag === 'safe'
          ? 'ANCHOR_CONFIRMATIONS: the node does not know its block "safe": set a number of blocks'
          : `the node does not know its block "${tag}"`,
      );
    return found;
  };
  const head = () => knownBlock('latest');
  const numbered = (number: number): Hex => `0x${number.toString(16)}`;

  const logsIn = (
    events: readonly AttestationLog['event'][],
    [from, to]: readonly [number, number],
    senders: readonly Hex[],
  ) => {
    const asked = logsFilter(events, filter, senders, [numbered(from), numbered(to)]);
    return logsOf(rpc, asked, (answer) => decodeLogs(answer, filter, senders));
  };

  return {
    name: options.name,
    relayer,
    contract,
    schemaUid,
    maxFeePerGas: cap,
    async identity() {
      const chainId = await rpc.checkedChainId();
      return { chainId, genesisHash: (await knownBlock('0x0')).hash };
    },
    checkContract: () => checkContract(rpc, contract, schemaUid),
    head,
    async finalBlock() {
      if (options.confirmations === 'safe') return knownBlock('safe');
      const newest = await head();
      if (options.confirmations <= 1) return newest;
      return knownBlock(numbered(Math.max(0, newest.number - options.confirmations + 1)));
    },
    blockByNumber: (number) => block(numbered(number)),
    async isAgreed({ number, hash }) {
      const answers = await rpc.requestAll('eth_getBlockByNumber', [numbered(number), false]);
      const blocks = decodeEach(answers, decodeBlock).filter((found) => found !== null);
      return blocks.length === 0 ? null : blocks.every((found) => found.hash === hash);
    },
    minedNonce: (sender = relayer) => rpc.request('eth_getTransactionCount', [sender, 'latest'], toNumber),
    balance: () => rpc.request('eth_getBalance', [relayer, 'latest'], toBigInt),
    fees: async () => feesFor(rpc, (await head()).baseFeePerGas, cap),
    estimateGas: (calldata) => gasWithMargin(rpc, { from: relayer, to: contract, data: calldata }),
    encodeAttest: (requests) => encodeAttest(schemaUid, requests),
    encodeRevoke: (uids) => encodeRevoke(schemaUid, uids),
    decodeAttest: (calldata) => decodeAttest(schemaUid, calldata),
    async sign({ nonce, calldata, gas, maxFeePerGas, maxPriorityFeePerGas }) {
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId: await rpc.chainId(),
        to: contract,
        nonce,
        data: calldata,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas,
      });
      return { raw, hash: keccak256(raw) };
    },
    send: (raw) => sendEverywhere(rpc, raw),
    receipt: (txHash, sender = relayer) =>
      rpc.requestKnown('eth_getTransactionReceipt', [txHash], (answer) =>
        decodeReceipt(txHash, answer, { ...filter, relayer: sender }),
      ),
    async agreedReceipt(txHash, sender = relayer) {
      const receipts = allSame(
        await rpc.requestEach('eth_getTransactionReceipt', [txHash]),
        (answer) => decodeReceipt(txHash, answer, { ...filter, relayer: sender }),
        ({ blockNumber, blockHash, succeeded }) => `${blockNumber} ${blockHash} ${succeeded}`,
      );
      if (!receipts) return null;
      const found = allSame(
        await rpc.requestEach('eth_getBlockByNumber', [numbered(receipts.blockNumber), false]),
        decodeBlock,
        ({ hash, timestamp }) => `${hash} ${timestamp}`,
      );
      return found && found.hash === receipts.blockHash ? { receipt: receipts, block: found } : null;
    },
    async attestedIn(fromBlock, toBlock, senders = [relayer]) {
      const logs = await logsIn(['Attested'], [fromBlock, toBlock], senders);
      return [...new Set(logs.map(({ txHash }) => txHash))];
    },
    async attestationsIn(fromBlock, toBlock, relayers) {
      const logs = await logsIn(['Attested', 'Revoked'], [fromBlock, toBlock], relayers);
      return [...new Map(logs.map(({ event, uid }) => [`${event} ${uid}`, { event, uid }])).values()];
    },
    async ownTransaction(txHash, senders = [relayer]) {
      const found = await rpc.requestKnown('eth_getTransactionByHash', [txHash], (answer) =>
        answer === null || toRecord(answer)['blockNumber'] === null ? null : answer,
      );
      const own = await readOwnTransaction(found, senders);
      return own?.hash === txHash.toLowerCase() ? own : null;
    },
    async knows(txHash) {
      const found = await rpc.requestKnown('eth_getTransactionByHash', [txHash], (answer) => {
        if (answer === null) return null;
        if (toHash(toRecord(answer)['hash']) !== txHash.toLowerCase())
          throw unexpectedAnswer('the transaction');
        return true;
      });
      return found === true;
    },
    attestation: (uid) => readAttestation(rpc, contract, uid),
    ...(options.minesOnDemand && {
      mineEmptyBlock: () => rpc.request('evm_mine', [], () => undefined),
    }),
  };
}

/** A union, so that one endpoint cannot hide logs. */
async function logsOf<T>(rpc: Rpc, asked: object, decode: (answer: unknown) => T[]): Promise<T[]> {
  const found: T[] = [];
  const failures: unknown[] = [];
  let answered = 0;
  for (const answer of await rpc.requestAll('eth_getLogs', [asked])) {
    try {
      if (answer.status === 'rejected') throw answer.reason;
      found.push(...decode(answer.value));
      answered++;
    } catch (error) {
      failures.push(error);
    }
  }
  if (answered === 0) throw mostTelling(failures);
  return found;
}

const decodeBlock = (answer: unknown): Block | null => (answer === null ? null : toBlock(answer));

function allSame<T extends Block | Receipt>(
  answers: readonly PromiseSettledResult<unknown>[],
  decode: (answer: unknown) => T | null,
  meaning: (decoded: T) => string,
): T | null {
  const decoded = decodeEach(answers, decode);
  const [first] = decoded;
  return first && decoded.every((some) => some && meaning(some) === meaning(first)) ? first : null;
}

function decodeEach<T>(
  answers: readonly PromiseSettledResult<unknown>[],
  decode: (answer: unknown) => T | null,
): (T | null)[] {
  return answers.map((answer) => {
    try {
      return answer.status === 'fulfilled' ? decode(answer.value) : null;
    } catch {
      return null;
    }
  });
}

/** One endpoint could withhold the transaction. */
async function sendEverywhere(rpc: Rpc, raw: Hex): Promise<{ outcome: SendOutcome; message?: string }> {
  const hash = keccak256(raw);
  const answers: { outcome: SendOutcome; message?: string }[] = [];
  const failures: unknown[] = [];
  for (const answer of await rpc.requestAll('eth_sendRawTransaction', [raw])) {
    if (answer.status === 'fulfilled') {
      if (answer.value === hash) answers.push({ outcome: 'accepted' });
      else failures.push(unexpectedAnswer('the hash of the transaction'));
    } else if (
      answer.reason instanceof NodeError &&
      isAboutTransaction(answer.reason.code, answer.reason.message)
    ) {
      const { message } = answer.reason;
      answers.push({ outcome: classifyRefusal(message), message });
    } else failures.push(answer.reason);
  }
  for (const outcome of BEST_FIRST) {
    const found = answers.find((answer) => answer.outcome === outcome);
    if (found) return found;
  }
  throw mostTelling(failures);
}
