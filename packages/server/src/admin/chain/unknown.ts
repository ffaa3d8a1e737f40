import { decodeAttestationData, hexToBytes } from '@svc/protocol';
import sql from 'sql-template-tag';
import { listRelayers } from '../../anchoring/index.ts';
import { askRange, blockRange } from '../../chain/block-range.ts';
import type { Attestation, Chain, Hex } from '../../chain/port.ts';
import type { Db, Queryable } from '../../db/db.ts';
import type { Report } from '../fsck/report.ts';

const QUESTIONS = 20;
const AT_ONCE = 10;

/** Reports final attestations by our relayers that the database lacks; `checkTombstones` reports tombstones. */
export async function checkUnknown(
  db: Db,
  chain: Chain,
  report: Report,
  progress: (block: number) => void,
): Promise<void> {
  const relayers = [...new Set<Hex>([chain.relayer, ...(await listRelayers(db))])];
  const final = (await chain.finalBlock()).number;
  const range = blockRange(await firstBlock(db, chain, final), final);
  for (let done = range.at > range.to; !done; progress(range.at)) {
    done = await askRange(range, QUESTIONS, async (from, to) => {
      const logs = await chain.attestationsIn(from, to, relayers);
      const uids = logs.flatMap(({ event, uid }) => (event === 'Attested' ? [uid] : []));
      for (let at = 0; at < uids.length; at += AT_ONCE) {
        const found = await Promise.all(uids.slice(at, at + AT_ONCE).map((uid) => chain.attestation(uid)));
        for (const attestation of found) if (attestation) await checkOne(db, attestation, report);
      }
    });
  }
}

async function firstBlock(db: Queryable, chain: Chain, final: number): Promise<number> {
  const [row] = await db.query<{ first: number | null; began_later: boolean }>(sql`
    select min(block_number) as first, exists (select from earlier_attestation) as began_later
    from anchor_tx where state = 'FINAL'`);
  const { first, began_later: beganLater } = row!;
  if (first !== null && !beganLater) return first;
  return (await chain.minedNonce()) === 0 ? final + 1 : 0;
}

async function checkOne(db: Queryable, { uid, data, time }: Attestation, report: Report): Promise<void> {
  const content = decode(data);
  const root = content ? Buffer.from(content.root) : Buffer.alloc(0);
  const [row] = await db.query<{ known: boolean }>(sql`
    select exists (select from batch where uid = ${Buffer.from(uid.slice(2), 'hex')})
      or exists (select from batch where root = ${root} and kind = ${content?.kind ?? 0})
      or exists (select from chain_tombstone where uid = ${Buffer.from(uid.slice(2), 'hex')}) as known`);
  report.count('attestations on the chain');
  if (row!.known) return;
  const what = content
    ? `${content.kind === 0 ? 'commits' : 'retracts'} ${content.treeSize === 1 ? '1 etch' : `${content.treeSize} etches`}, root ${root.toString('hex')}`
    : 'with data that this service does not write';
  report.fault(
    'attestation',
    uid,
    `of ${new Date(time * 1000).toISOString()} ${what}: the database does not have it; it is older than its chain, or a different one`,
  );
}

function decode(data: string) {
  try {
    return decodeAttestationData(hexToBytes(data.slice(2)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
