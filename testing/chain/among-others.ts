import { randomBytes } from 'node:crypto';
import type { Json } from '../json.ts';
import { eventually } from '../wait.ts';

type Call = (method: string, ...params: unknown[]) => Promise<Json>;

/** Three types of transactions. Some pay more than the relayer, some less: its own lands between them. */
const PRICES = [
  { gasPrice: '0x2540be400' },
  { gasPrice: '0x2540be401', accessList: [] },
  { maxFeePerGas: '0x12a05f200', maxPriorityFeePerGas: '0x1' },
];

/** Somebody with money whose transactions an anvil sends. */
export async function newSender(call: Call): Promise<string> {
  const address = `0x${randomBytes(20).toString('hex')}`;
  await call('anvil_setBalance', address, '0x56bc75e2d63100000');
  await call('anvil_impersonateAccount', address);
  return address;
}

/** What one of many sends, of a type by its number. */
export const otherTransaction = (from: string, to: string, at: number): object => ({
  ...{ from, to, value: '0x1', gas: '0x7530' },
  ...PRICES[at % PRICES.length],
});

/**
 * Does what sends one transaction to an anvil that makes blocks on demand: the block that holds it holds so many others as
 * well, of every type.
 */
export async function amongOthers<T>(call: Call, others: number, work: () => Promise<T>): Promise<T> {
  const senders: string[] = [];
  for (let at = 0; at < others; at++) senders.push(await newSender(call));
  await call('evm_setAutomine', false);
  try {
    const done = work();
    const pending = async () => Number((await call('txpool_status')).pending);
    await eventually('the transaction waits', async () => (await pending()) > 0, { everyMs: 20 });
    await Promise.all(
      senders.map((from, at) => call('eth_sendTransaction', otherTransaction(from, senders[0]!, at))),
    );
    await eventually('all wait', async () => (await pending()) > others, { everyMs: 20 });
    await call('evm_mine');
    return await done;
  } finally {
    await call('evm_setAutomine', true);
  }
}
