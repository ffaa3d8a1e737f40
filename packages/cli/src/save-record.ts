import { setTimeout as sleep } from 'node:timers/promises';
import type { Etch } from '@svc/sdk';
import { makeRecordFile } from '@svc/verifier/account-index';
import { findAccount } from './audit/audit-accounts.ts';
import { readIndexOf, recordPages } from './audit/index-command.ts';
import { auditClient, inParallel } from './audit/job.ts';
import { plural } from './audit/print-audit.ts';
import { type Context, makeProgress, type Shown } from './context.ts';
import { waitError } from './exit.ts';
import { refuseUnwritable, writeOut } from './out-file.ts';

/** The log gets a tree seconds before or after the record shows it, and an index entry behind the tree. */
const [LOOKS, BETWEEN_LOOKS_MS] = [3, 2_000];
const PARALLEL = 4;

/** `svc record --out`: a file svc-record:v1 (docs/protocol.md#418-the-index-of-accounts). */
export async function saveRecord(
  origin: string,
  username: string,
  { out, evidence: wantsEvidence }: { out: string; evidence: boolean },
  context: Context,
): Promise<Shown> {
  refuseUnwritable(out);
  const client = auditClient(origin);
  const account = await findAccount({ client }, username);
  const progress = makeProgress(context);
  let index: unknown[] = [];
  let etches: Etch[] = [];
  let tail: string | null = null;
  for (let look = 1; look <= LOOKS; look++) {
    ({ index, tail } = await readIndexOf(origin, account.user_id));
    etches = [];
    for await (const page of recordPages(client, account.username)) {
      etches.push(...page);
      progress.show(`record of ${account.username}`, etches.length, null);
    }
    const text = JSON.stringify(index);
    const has = (kind: string, version: number | null, hash: string) =>
      version !== 2 || text.includes(kind + hash);
    const isWhole =
      tail === null &&
      etches.every(
        ({ hash, chain: { tree_version: of, revocation_tree_version: tombstone } }) =>
          has('00', of, hash) && has('01', tombstone, hash),
      );
    if (isWhole || look === LOOKS) break;
    await sleep(BETWEEN_LOOKS_MS);
  }
  if (tail !== null) throw waitError(`${out} was not written: ${tail}`);
  const savedAt = new Date(await client.serverTime()).toISOString();
  const evidence: object[] = [];
  if (wantsEvidence)
    await inParallel(
      etches.filter(({ chain }) => chain.attestation_uid !== null),
      PARALLEL,
      async ({ id }) => {
        evidence.push(await client.evidence(id));
        progress.show('evidence', evidence.length, etches.length);
      },
    );
  progress.clear();
  const saved = { service: origin, account, savedAt, index, etches };
  writeOut(out, makeRecordFile({ ...saved, ...(wantsEvidence && { evidence }) }));
  const words = [`${out} (${plural(etches.length, 'etch', 'etches')}; check it with svc verify ${out})`];
  return { value: { file: out, etches: etches.length, evidence: evidence.length }, words };
}
