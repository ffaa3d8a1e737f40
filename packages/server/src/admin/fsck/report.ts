/** What is wrong with one thing. Holds ids and hashes, never a text. */
export interface Fault {
  /** `etch`, `tree`, `table` … */
  kind: string;
  /** which one */
  id: string;
  what: string;
}

const LISTED = 1_000;

/** Faults as they are found: the first thousand kept, all counted. */
export class Report {
  readonly faults: Fault[] = [];
  readonly checked: Record<string, number> = {};
  total = 0;

  fault(kind: string, id: string, what: string): void {
    this.total++;
    if (this.faults.length < LISTED) this.faults.push({ kind, id, what });
  }

  count(what: string, by = 1): void {
    this.checked[what] = (this.checked[what] ?? 0) + by;
  }
}
