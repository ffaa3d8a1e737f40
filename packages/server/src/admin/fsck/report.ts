/** A fault must contain no text of an etch. */
export interface Fault {
  kind: string;
  id: string;
  what: string;
}

const LISTED = 1_000;

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

export const faultLines = ({ faults }: Report): string[] =>
  faults.map(({ kind, id, what }) => `FAULT ${kind} ${id}: ${what}`);
