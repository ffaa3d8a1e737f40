import type { Hex } from '../chain/port.ts';

/** What one look at the chain cannot prove: only as many looks in a row as the rules ask for count for something. */
export type Suspicion =
  /** the nonce of a transaction is spent and no block shows it; it failed; it did not revoke; its final block is gone */
  | { readonly kind: 'spent' | 'failed' | 'unrevoked' | 'gone'; readonly tx: number }
  /** the node refuses this signed form for its fees */
  | { readonly kind: 'underpriced'; readonly form: Hex }
  /** nothing of ours will ever spend this nonce */
  | { readonly kind: 'gap'; readonly nonce: number };

export type SuspicionKind = Suspicion['kind'];

/** Counts suspicions over ticks. A tick that does not have one any more forgets it. */
export class Suspicions {
  #tick = 0;
  readonly #seen = new Map<SuspicionKind, Map<Hex | number, { looks: number; tick: number }>>();

  startTick(): void {
    this.#tick++;
    for (const subjects of this.#seen.values())
      for (const [subject, { tick }] of subjects) if (tick < this.#tick - 1) subjects.delete(subject);
  }

  /** How many ticks in a row, this one included, have had it. */
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
