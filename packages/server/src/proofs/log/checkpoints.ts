// Stored checkpoints with their cosignatures, and what each witness has.
import { splitProof } from '@svc/protocol';
import { type Policy, type PolicyWitness, proveInclusion, writeTlogProof } from '@svc/protocol/tlog';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { finalSize, subtreesOf } from './entries.ts';

/** An ML-DSA-44 key is too long for an index. */
export const witnessId = ({ key }: PolicyWitness): string => `${key.name}+${key.id}`;

export interface StoredCheckpoint {
  size: number;
  note: string;
  quorum: boolean;
  /** readers get it: a quorum cosigned it, or all its attestations are final */
  served: boolean;
}

const withLines = sql`c.size, c.quorum_at is not null as quorum, c.served, c.note || coalesce(
  (select string_agg(s.line || chr(10), '' order by s.witness) from log_cosignature s
    where s.origin = c.origin and s.size = c.size), '') as note`;

async function findCheckpoint(db: Queryable, origin: string, which: Sql): Promise<StoredCheckpoint | null> {
  const found = await db.first<StoredCheckpoint>(sql`
    select ${withLines} from log_checkpoint c where c.origin = ${origin} ${which} order by c.size desc limit 1`);
  return found ?? null;
}

export const latestCheckpoint = (db: Queryable, origin: string) => findCheckpoint(db, origin, empty);

export const checkpointAt = (db: Queryable, origin: string, size: number) =>
  findCheckpoint(db, origin, sql`and c.size = ${size}`);

export const servedCheckpoint = (db: Queryable, origin: string) =>
  findCheckpoint(db, origin, sql`and c.served`);

interface LoggedEtch extends StoredCheckpoint {
  kind: 0 | 1;
  index: number;
  data: Buffer;
  proof: Buffer;
}

export interface EtchLogProof {
  kind: 0 | 1;
  proof: string;
  quorum: boolean;
}

/**
 * Reads in one statement, because a tree may leave the log before a checkpoint has it. Prefers the first checkpoint
 * that a quorum cosigned.
 */
export async function proveLogged(
  db: Queryable,
  origin: string,
  etchId: string,
  { needsQuorum = false } = {},
): Promise<EtchLogProof[]> {
  const found = await db.query<LoggedEtch>(sql`
    select l.kind, e.index, e.data, l.proof, o.* from batch_leaf l join log_entry e on e.batch_id = l.batch_id
      cross join lateral (select ${withLines} from log_checkpoint c
        where c.origin = ${origin} and c.served and c.size > e.index order by c.quorum_at is null, c.size limit 1) o
    where l.etch_id = ${etchId} order by l.kind`);
  const proofs: EtchLogProof[] = [];
  for (const { kind, index, data, proof, size, note, quorum } of found) {
    if (needsQuorum && !quorum) continue;
    const inclusion = await proveInclusion(index, size, subtreesOf(db));
    const text = writeTlogProof({ data, path: splitProof(proof), index, inclusion, checkpoint: note });
    proofs.push({ kind, proof: text, quorum });
  }
  return proofs;
}

export interface SeenTree {
  at: string;
  witnesses: number;
}

export async function quorumOver(
  db: Queryable,
  origin: string,
  etchId: string,
): Promise<SeenTree | undefined> {
  const row = await db.first<{ at: string; lines: string[] }>(sql`
    select c.quorum_at as at, array(
      select s.line from log_cosignature s where s.origin = c.origin and s.size = c.size) as lines
    from batch_leaf l join log_entry e on e.batch_id = l.batch_id
      join log_checkpoint c on c.origin = ${origin} and c.size > e.index and c.quorum_at is not null
    where l.etch_id = ${etchId} and l.kind = 0 order by c.size limit 1`);
  if (row === undefined) return undefined;
  // A stored cosignature is valid: 4 bytes of the key, then the time in seconds.
  const times = row.lines.map((line) =>
    Number(Buffer.from(line.split(' ').at(-1)!, 'base64').readBigUInt64BE(4)),
  );
  const witnesses = times.filter((seconds) => seconds * 1_000 <= Date.parse(row.at)).length;
  return { at: row.at, witnesses };
}

/** Readers do not get it yet. */
export const storeCheckpoint = (
  db: Queryable,
  of: { origin: string; size: number; note: string; now: string },
) =>
  db.query(sql`
    insert into log_checkpoint (origin, size, note, signed_at, served)
    values (${of.origin}, ${of.size}, ${of.note}, ${of.now}, false) on conflict do nothing`);

export const storeCosignature = (
  db: Queryable,
  of: { origin: string; size: number; witness: string; line: string },
) =>
  db.query(sql`
    insert into log_cosignature (origin, size, witness, line) values (${of.origin}, ${of.size}, ${of.witness}, ${of.line})
    on conflict do nothing`);

export const markQuorum = (db: Queryable, origin: string, size: number, at: string) =>
  db.query(sql`
    update log_checkpoint set quorum_at = least(quorum_at, ${at}::timestamptz), served = true
    where origin = ${origin} and size = ${size}`);

/**
 * Serves checkpoints whose attestations are final, without a quorum.
 * @param options.size of the longest checkpoint that a file of LEDGER_DIR has
 * @param options.givenUp whether to pass trees that the chain never has
 */
export async function serveFinal(
  db: Queryable,
  origin: string,
  { size, givenUp }: { size: number; givenUp: boolean },
): Promise<void> {
  const from = (await servedCheckpoint(db, origin))?.size ?? 0;
  const final = Math.min(size, await finalSize(db, from, { givenUp }));
  await db.query(sql`
    update log_checkpoint set served = true where origin = ${origin} and size > ${from} and size <= ${final}`);
}

export interface WitnessState {
  witness: string;
  size: number;
  tries: number;
  due: boolean;
  fault: string | null;
}

export async function witnessStates(
  db: Queryable,
  origin: string,
  now: string,
): Promise<Map<string, WitnessState>> {
  const rows = await db.query<WitnessState>(sql`
    select witness, size, tries, due_at <= ${now} as due, fault from log_witness where origin = ${origin}`);
  return new Map(rows.map((row) => [row.witness, row]));
}

interface NotedWitness {
  origin: string;
  witness: string;
  fault: string | null;
  now: string;
}

/** A witness that answers is due at once; one with a fault keeps its pause. */
export const noteWitness = (db: Queryable, { origin, witness, fault, now }: NotedWitness) =>
  db.query(sql`
    insert into log_witness (origin, witness, size, due_at, fault) values (${origin}, ${witness}, 0, ${now}, ${fault})
    on conflict (origin, witness) do update set fault = excluded.fault,
      due_at = case when excluded.fault is null then excluded.due_at else log_witness.due_at end`);

const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 3_600;

export async function keepWitnessState(
  db: Queryable,
  { origin, witness, fault, now, size, tries: before }: NotedWitness & { size: number; tries: number },
): Promise<void> {
  const [pause, tries] =
    fault === null
      ? [0, 0]
      : [
          Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(before, 12), LONGEST_PAUSE_SECONDS),
          Math.min(before + 1, 1_000),
        ];
  await db.query(sql`
    insert into log_witness (origin, witness, size, tries, due_at, fault)
    values (${origin}, ${witness}, ${size}, ${tries}, ${now}::timestamptz + make_interval(secs => ${pause}), ${fault})
    on conflict (origin, witness) do update set size = excluded.size, tries = excluded.tries, due_at = excluded.due_at,
      fault = excluded.fault`);
}

export const hadWitnesses = (db: Queryable, origin: string) =>
  db.hasRows(sql`select 1 from log_witness where origin = ${origin} and size > 0 limit 1`);

export interface WitnessHealth {
  name: string;
  behindSeconds: number;
  fault: string | null;
}

export async function witnessHealth(
  db: Queryable,
  { origin, policy, now }: { origin: string; policy: Policy | undefined; now: number },
): Promise<WitnessHealth[]> {
  const witnesses = policy?.witnesses ?? [];
  if (witnesses.length === 0) return [];
  const rows = await db.query<{ since: string | null; fault: string | null }>(sql`
    select w.fault, (
      select t.staged_at from log_entry e join batch b on b.id = e.batch_id join anchor_tx t on t.id = b.tx_id
      where e.index >= coalesce(w.size, 0) order by e.index limit 1) as since
    from unnest(${witnesses.map(witnessId)}::text[]) with ordinality as p (witness, n)
      left join log_witness w on w.origin = ${origin} and w.witness = p.witness
    order by n`);
  return witnesses.map(({ name }, at) => {
    const { since, fault } = rows[at]!;
    const behindSeconds = since === null ? 0 : Math.max(0, (now - Date.parse(since)) / 1000);
    return { name, behindSeconds, fault };
  });
}
