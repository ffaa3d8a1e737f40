import type { Hex } from '../chain/port.ts';

/** Something that one look at the chain cannot prove; it counts after `rules.looks` looks in a row. */
export type Suspicion =
  /** the nonce is spent and no block shows the transaction; it failed; it did not revoke; its final block is gone */
  | { readonly kind: 'spent' | 'failed' | 'unrevoked' | 'gone'; readonly tx: number }
  /** the node rejects this signed form as underpriced */
  | { readonly kind: 'underpriced'; readonly form: Hex }
  /** no transaction of ours will spend this nonce */
  | { readonly kind: 'gap'; readonly nonce: number };

export type SuspicionKind = Suspicion['kind'];

/** Counts suspicions over ticks; drops one that a tick does not repeat. */
export class Suspicions {
  #tick = 0;
  readonly #seen = new Map<SuspicionKind, Map<Hex | number, { looks: number; tick: number }>>();

  startTick(): void {
    this.#tick++;
    for (const subjects of this.#seen.values())
      for (const [subject, { tick }] of subjects) if (tick < this.#tick - 1) subjects.delete(subject);
  }

  /** Consecutive ticks with this suspicion, including the current one. */
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
