import {
  concatHex,
  createPublicClient,
  encodePacked,
  hexToBytes,
  http,
  keccak256,
  numberToHex,
  toRlp,
} from 'viem';
import type { Hex } from 'viem';

type Json = Record<string, any>;
type Nested = Hex | Nested[];

/** Without leading zeros, empty for 0. */
const bare = (value: Hex): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(BigInt(value)));

const HEADER = ['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom', '#difficulty', '#number', '#gasLimit', '#gasUsed', '#timestamp', 'extraData', 'mixHash', 'nonce', '#baseFeePerGas', 'withdrawalsRoot', '#blobGasUsed', '#excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash']; // oxfmt-ignore

function headerRlp(block: Json): Hex {
  const items = HEADER.filter((name) => block[name.replace('#', '')] !== undefined).map((name) =>
    name.startsWith('#') ? bare(block[name.slice(1)] as Hex) : (block[name] as Hex),
  );
  const rlp = toRlp(items);
  if (keccak256(rlp) !== block['hash']) throw new Error('the header is not that of the block');
  return rlp;
}

function receiptRlp(receipt: Json): Hex {
  const logs = (receipt['logs'] as Json[]).map((log): Nested => [log['address'], log['topics'], log['data']]);
  const list = toRlp([
    bare(receipt['status']),
    bare(receipt['cumulativeGasUsed']),
    receipt['logsBloom'],
    logs,
  ] as never);
  return BigInt(receipt['type'] as Hex) === 0n
    ? list
    : concatHex([numberToHex(Number(receipt['type']), { size: 1 }), list]);
}

interface Entry {
  path: number[];
  value: Hex;
}
const nibbles = (hex: Hex): number[] => [...hex.slice(2)].map((digit) => parseInt(digit, 16));

function hexPrefix(path: number[], isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2);
  const all = path.length % 2 === 1 ? [flag, ...path] : [flag, 0, ...path];
  return `0x${all.map((digit) => digit.toString(16)).join('')}`;
}

/** From this node down to the leaf at `wanted`. */
function nodesTo(entries: Entry[], depth: number, wanted: number[]): Hex[] {
  if (entries.length === 1)
    return [toRlp([hexPrefix(entries[0]!.path.slice(depth), true), entries[0]!.value])];
  const first = entries[0]!.path;
  let shared = depth;
  while (entries.every(({ path }) => path[shared] === first[shared])) shared++;
  if (shared > depth) {
    const below = nodesTo(entries, shared, wanted);
    return [toRlp([hexPrefix(first.slice(depth, shared), false), keccak256(below[0]!)]), ...below];
  }
  let way: Hex[] = [];
  const branches = Array.from({ length: 16 }, (_, digit): Hex => {
    const under = entries.filter(({ path }) => path[depth] === digit);
    if (under.length === 0) return '0x';
    const below = nodesTo(under, depth + 1, wanted);
    if (digit === wanted[depth]) way = below;
    return keccak256(below[0]!);
  });
  return [toRlp([...branches, '0x']), ...way];
}

export class EvidenceMaker {
  private readonly client;
  private readonly contract: Hex;
  constructor(url: string, contract: Hex) {
    this.client = createPublicClient({ transport: http(url) });
    this.contract = contract;
  }

  ask<T = Json>(method: string, ...params: unknown[]): Promise<T> {
    return this.client.request<{ Method: string; ReturnType: T }>({ method, params });
  }

  async logProof(topic: string, uid: string): Promise<Json> {
    const filter = { address: this.contract, topics: [topic], fromBlock: '0x0', toBlock: 'latest' };
    const logs = await this.ask<Json[]>('eth_getLogs', filter);
    const log = logs.find(({ data }) => data === uid)!;
    const block = await this.ask('eth_getBlockByHash', log['blockHash'], false);
    const receipts = await this.ask<Json[]>('eth_getBlockReceipts', block['number']);
    const index = Number(log['transactionIndex']);
    const entries = receipts.map((receipt, at): Entry => ({
      path: nibbles(toRlp(bare(numberToHex(at)))),
      value: receiptRlp(receipt),
    }));
    const nodes = nodesTo(entries, 0, entries[index]!.path);
    if (keccak256(nodes[0]!) !== block['receiptsRoot'])
      throw new Error('the receipts are not those of the block');
    const position = (receipts[index]!['logs'] as Json[]).findIndex(
      ({ logIndex }) => logIndex === log['logIndex'],
    );
    return { header: headerRlp(block), transaction_index: index, nodes, log: position };
  }

  async attestationProof(topic: string, uid: string): Promise<Json> {
    const proof = await this.logProof(topic, uid);
    const answer = await this.ask<Hex>(
      'eth_call',
      { to: this.contract, data: `0xa3112a64${uid.slice(2)}` },
      'latest',
    );
    const word = (at: number): Hex => `0x${answer.slice(2 + 64 * at, 66 + 64 * at)}`;
    const short = (at: number): Hex => `0x${word(at).slice(26)}`;
    const length = Number(word(11));
    const data: Hex = `0x${answer.slice(2 + 64 * 12, 2 + 64 * 12 + 2 * length)}`;
    const preimage = {
      schema: word(2),
      recipient: short(7),
      attester: short(8),
      time: Number(word(3)),
      expiration_time: Number(word(4)),
      revocable: BigInt(word(9)) === 1n,
      ref_uid: word(6),
      data,
    };
    for (let bump = 0; ; bump++) {
      const { schema, recipient, attester, time, expiration_time, revocable, ref_uid } = preimage;
      const packed = encodePacked(
        ['bytes32', 'address', 'address', 'uint64', 'uint64', 'bool', 'bytes32', 'bytes', 'uint32'],
        [schema, recipient, attester, BigInt(time), BigInt(expiration_time), revocable, ref_uid, data, bump],
      );
      if (keccak256(packed) === uid) return { ...proof, preimage: { ...preimage, bump } };
      if (bump > 100) throw new Error('the uid is made of something else');
    }
  }
}

export const blockOf = (proof: Json): string => keccak256(hexToBytes(proof['header'] as Hex));
