export interface Figure {
  table: string;
  row: string;
  column: string;
  value: number;
  text: string;
}
export function figures(report: string): Figure[];
