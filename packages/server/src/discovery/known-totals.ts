/** A known total only selects the cheapest way; it is never an answer. */
export interface KnownTotals {
  get(question: string): number | undefined;
  set(question: string, total: number): void;
}

export function createKnownTotals(most = 1_000): KnownTotals {
  const totals = new Map<string, number>();
  return {
    get: (question) => totals.get(question),
    set(question, total) {
      totals.delete(question);
      totals.set(question, total);
      if (totals.size > most) totals.delete(totals.keys().next().value!);
    },
  };
}
