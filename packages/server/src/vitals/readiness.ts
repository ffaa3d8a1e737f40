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
      const problem = await withPatience(part.check).catch((error: unknown) => (error as Error).message);
      const { name, optional } = part;
      return { name, problem, facts: part.facts?.(), ...(optional && { optional }) };
    }),
  );
}

async function withPatience<T>(check: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
}
