import type { Hex } from '../chain/port.ts';

/** One look at the chain cannot prove a suspicion; `rules.looks` looks in a row count. */
export type Suspicion =
  | { readonly kind: 'spent' | 'failed' | 'unrevoked' | 'gone'; readonly tx: number }
  | { readonly kind: 'underpriced'; readonly form: Hex }
  /** no transaction of ours will spend it */
  | { readonly kind: 'gap'; readonly nonce: number };

export type SuspicionKind = Suspicion['kind'];

/** Drops a suspicion that a tick does not repeat. */
export class Suspicions {
  #tick = 0;
  readonly #seen = new Map<SuspicionKind, Map<Hex | number, { looks: number; tick: number }>>();

  startTick(): void {
    this.#tick++;
    for (const subjects of this.#seen.values())
      for (const [subject, { tick }] of subjects) if (tick < this.#tick - 1) subjects.delete(subject);
  }

  looks(suspicion: Suspicion): number {
    const subjects =
      this.#seen.get(suspicion.kind) ?? new Map<Hex | number, { looks: number; tick: number }>();
    this.#seen.set(suspicion.kind, subjects);
    const subject = subjectOf(suspicion);
    const before = subjects.get(subject);
    if (before?.tick === this.#tick) return before.looks;
    const looks = before?.tick === this.#tick - 1 ? before.looks + 1 : 1;
    subjects.set(subject, { looks, tick: this.#tick });
    return looks;
  }
}

function subjectOf(suspicion: Suspicion): Hex | number {
  if (suspicion.kind === 'underpriced') return suspicion.form;
  return suspicion.kind === 'gap' ? suspicion.nonce : suspicion.tx;
}
