import { auditAll, type WholeFindings } from './audit-all.ts';
import { dropState, loadState, newState, saveState } from './audit-state.ts';
import { type AuditJob, emptyChainSide } from './job.ts';
import { auditResult } from './print-audit.ts';

interface KeptOptions {
  path: string;
  fresh: boolean;
  firstBlock: () => Promise<number>;
  note?: (text: string) => void;
}

export async function auditKept(
  job: AuditJob,
  { path, fresh, firstBlock, note }: KeptOptions,
): Promise<WholeFindings> {
  const { origin } = job.client;
  const kept = fresh ? null : loadState(path, origin, job.trust);
  if (kept !== null)
    note?.(
      kept.ended
        ? `reusing the results since ${kept.since} in ${path}; --fresh audits everything again`
        : `continuing the audit in ${path}; --fresh starts again`,
    );
  const state = kept ?? newState(emptyChainSide(await firstBlock()));
  // The chain may have changed since.
  if (state.ended) state.side = emptyChainSide(await firstBlock());
  let last = state;
  const findings = await auditAll(job, state, (now) => saveState(path, origin, job.trust, (last = now)));
  if (auditResult(findings) === 'fail') dropState(path);
  else saveState(path, origin, job.trust, { ...last, ended: true });
  return findings;
}
