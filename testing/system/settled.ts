import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, type Trust, verifyReceipt } from '@svc/verifier';
import { type LedgerChain, remembering } from '../chain/attestations.ts';
import { eventually } from '../wait.ts';
import type { Client } from '../clients/client.ts';
import type { Wanted } from './load.ts';
import { keepSalt } from './secrets.ts';
import type { World } from './world.ts';

const AT_ONCE = 20;

/** @param seconds without progress */
export async function allAnchored(
  world: Pick<World, 'client' | 'service'>,
  wanted: readonly Wanted[],
  seconds = 120,
): Promise<void> {
  const left = new Set(wanted);
  const look = async (each: Wanted): Promise<void> => {
    const reply = await world.client.call('GET', `/api/v1/etches/${each.id}`).catch(() => undefined);
    if (reply?.status !== 200) return;
    const { chain, salt } = reply.body.etch;
    if (salt !== null) keepSalt(salt as string);
    if (chain.status === 'anchored' && (!each.retracted || chain.revocation_status === 'revoked'))
      left.delete(each);
  };
  while (left.size > 0) {
    const before = left.size;
    await eventually(
      `all ${wanted.length} etches are anchored`,
      async () => {
        await Promise.all([...left].slice(0, AT_ONCE).map(look));
        return left.size < before;
      },
      { seconds, everyMs: 150 },
    ).catch((error: Error) => {
      const lines = world.service.output().split('\n').slice(-15).join('\n');
      throw new Error(`${error.message} (${left.size} left)\n${lines}`);
    });
  }
}

/** After a reorganization, the chain has every attestation a moment later. */
export async function anchoredOnChain(world: World, wanted: readonly Wanted[]): Promise<void> {
  await eventually(
    'every attestation that the service names is on the chain',
    async () => {
      await allAnchored(world, wanted);
      const receipts = await fetchReceipts(world.client, wanted);
      return world.withChain(async (chain) => (await receiptFaults(receipts, chain)).length === 0);
    },
    { everyMs: 300 },
  );
}

export async function vouchedFor(world: World, wanted: readonly Wanted[]): Promise<void> {
  await eventually(
    'the service finds everything on the chain',
    async () => {
      await allAnchored(world, wanted);
      for (const { id } of wanted) {
        const { checks } = (await world.client.call('GET', `/api/v1/verify/${id}`)).body;
        if (!(checks as { verdict: string }[]).every(({ verdict }) => ['pass', 'info'].includes(verdict)))
          return false;
      }
      return true;
    },
    { everyMs: 500 },
  );
}

export async function fetchReceipts(client: Client, wanted: readonly Wanted[]): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let from = 0; from < wanted.length; from += 20) {
    const read = async ({ id }: Wanted) => (await client.call('GET', `/api/v1/etches/${id}/receipt`)).body;
    receipts.push(...((await Promise.all(wanted.slice(from, from + 20).map(read))) as Receipt[]));
  }
  return receipts;
}

export async function receiptFaults(receipts: readonly Receipt[], chain: LedgerChain): Promise<string[]> {
  const trust: Trust = { ...chain, relayers: [chain.relayer] };
  const reader = remembering(rpcChain({ urls: [chain.rpcUrl] }));
  const faults: string[] = [];
  for (const receipt of receipts) {
    const verification = await verifyReceipt(receipt, trust, reader);
    const verdict = overall(verification);
    if (verdict === 'pass') continue;
    const details = verification.checks.map((check) => check.detail).join('; ');
    faults.push(`${receipt.etch_id}: ${verdict}: ${details}`);
  }
  return faults;
}
