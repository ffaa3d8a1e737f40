// Checks the parts of the service for /readyz.
import { setTimeout as sleep } from 'node:timers/promises';

/** `check` throws or returns the problem. */
export interface ReadinessPart {
  name: string;
  check: () => Promise<string | undefined>;
  facts?: () => Record<string, unknown>;
  /** the service is ready without it */
  optional?: true;
}

interface Checked {
  problem: string | undefined;
  facts: Record<string, unknown> | undefined;
}

const PATIENCE_MS = 3_000;

export function checkParts(
  parts: readonly ReadinessPart[],
): Promise<(Pick<ReadinessPart, 'name' | 'optional'> & Checked)[]> {
  return Promise.all(
    parts.map(async (part) => {
      const problem = await Promise.race([part.check(), tooLate()]).catch((error: Error) => error.message);
      const { name, optional } = part;
      return { name, problem, facts: part.facts?.(), ...(optional && { optional }) };
    }),
  );
}

async function tooLate(): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  throw new Error(`no answer within ${PATIENCE_MS / 1000} s`);
}
