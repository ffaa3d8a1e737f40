import { auditAll } from './audit-all.ts';
import type { WholeFindings } from './audit-all.ts';
import { dropState, loadState, newState, saveState } from './audit-state.ts';
import { emptyChainSide } from './chain-side.ts';
import type { AuditJob } from './job.ts';
import { auditResult } from './print-audit.ts';

export interface KeptOptions {
  /** the file that holds it */
  path: string;
  /** use nothing that was kept */
  fresh: boolean;
  /** where reading the chain begins */
  firstBlock: () => Promise<number>;
  note?: (text: string) => void;
}

/**
 * Audits a whole service with what earlier audits of it left: one that was cut off goes on, and of one that ended what it found is kept.
 * @throws {ChainUnreadable}
 * @throws {CommandError} when the file is damaged
 */
export async function auditKept(
  job: AuditJob,
  { path, fresh, firstBlock, note }: KeptOptions,
): Promise<WholeFindings> {
  const { origin } = job.client;
  const kept = fresh ? null : loadState(path, origin, job.trust);
  if (kept !== null)
    note?.(
      kept.ended
        ? `what was found since ${kept.since} is kept in ${path}; --fresh looks at everything anew`
        : `going on with the audit kept in ${path}; --fresh begins anew`,
    );
  const state = kept ?? newState(emptyChainSide(await firstBlock()));
  // What may have become of the chain since nobody knows.
  if (state.ended) state.side = emptyChainSide(await firstBlock());
  let last = state;
  const findings = await auditAll(job, state, (now) => saveState(path, origin, job.trust, (last = now)));
  // What is wrong is looked for everywhere the next time.
  if (auditResult(findings) === 'fail') dropState(path);
  else saveState(path, origin, job.trust, { ...last, ended: true });
  return findings;
}
