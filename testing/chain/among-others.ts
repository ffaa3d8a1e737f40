import { randomBytes } from 'node:crypto';
import { sha256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Json } from '../json.ts';
import { eventually } from '../wait.ts';

type Call = (method: string, ...params: unknown[]) => Promise<Json>;
type Hex = `0x${string}`;
type Account = ReturnType<typeof privateKeyToAccount>;

export interface Sender {
  account: Account;
  nonce: number;
}

export async function newSender(call: Call): Promise<Sender> {
  const account = newAccount();
  await call('anvil_setBalance', account.address, '0x56bc75e2d63100000');
  return { account, nonce: 0 };
}
const newAccount = () => privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);

const INFINITY: Hex = `0xc0${'00'.repeat(47)}`;
const SIDECAR = { blob: `0x${'00'.repeat(131_072)}`, commitment: INFINITY, proof: INFINITY } as const;
const BLOB_HASH: Hex = `0x01${sha256(INFINITY).slice(4)}`;

const CHAIN_ID = 31_337;
const HIGH = 10_000_000_000n;
const LOW = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1n };

/** Some pay more than the relayer, some less. */
export const TYPES = ['0x0', '0x1', '0x2', '0x3', '0x4'];
const SIGN: readonly ((account: Account, rest: { to: Hex; nonce: number }) => Promise<Hex>)[] = [
  (account, rest) => account.signTransaction({ type: 'legacy', gasPrice: HIGH, ...common, ...rest }),
  (account, rest) =>
    account.signTransaction({ type: 'eip2930', gasPrice: HIGH + 1n, accessList: [], ...common, ...rest }),
  (account, rest) => account.signTransaction({ type: 'eip1559', ...LOW, ...common, ...rest }),
  (account, rest) =>
    account.signTransaction({
      type: 'eip4844',
      blobVersionedHashes: [BLOB_HASH],
      sidecars: [SIDECAR],
      maxFeePerGas: HIGH,
      maxPriorityFeePerGas: 2n,
      maxFeePerBlobGas: HIGH,
      ...common,
      ...rest,
    }),
  async (account, rest) => {
    const authorization = { chainId: CHAIN_ID, address: rest.to, nonce: 0 };
    const authorizationList = [await newAccount().signAuthorization(authorization)];
    return account.signTransaction({ type: 'eip7702', authorizationList, ...LOW, ...common, ...rest });
  },
];
const common = { chainId: CHAIN_ID, gas: 80_000n, value: 1n };

export async function sendOther(call: Call, from: Sender, to: Sender, at: number): Promise<void> {
  const rest = { to: to.account.address, nonce: from.nonce++ };
  await call('eth_sendRawTransaction', await SIGN[at % SIGN.length]!(from.account, rest));
}

/** `work` sends one transaction. `others` more of every type join its block. */
export async function amongOthers<T>(call: Call, others: number, work: () => Promise<T>): Promise<T> {
  const senders: Sender[] = [];
  for (let at = 0; at < others; at++) senders.push(await newSender(call));
  await call('evm_setAutomine', false);
  try {
    const done = work();
    const pending = async () => Number((await call('txpool_status')).pending);
    await eventually('the transaction waits', async () => (await pending()) > 0, { everyMs: 20 });
    await Promise.all(senders.map((from, at) => sendOther(call, from, senders[0]!, at)));
    await eventually('all wait', async () => (await pending()) > others, { everyMs: 20 });
    await call('evm_mine');
    return await done;
  } finally {
    await call('evm_setAutomine', true);
  }
}
