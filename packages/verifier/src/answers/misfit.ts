import type { Misfit } from './misfit-words.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Returns {} for other values, because an answer may be any JSON. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Prefixes field names with a path. */
export class Misfits {
  readonly found: Misfit[];
  private readonly path: string;

  constructor(path: string, found: Misfit[] = []) {
    this.path = path;
    this.found = found;
  }

  within(name: string): Misfits {
    return new Misfits(this.pathOf(name), this.found);
  }

  add(field: string, shown: unknown, expected: unknown): void {
    this.found.push({ field: this.pathOf(field), expected: expected ?? null, shown: shown ?? null });
  }

  equal(field: string, shown: unknown, expected: unknown): void {
    if ((shown ?? null) !== (expected ?? null)) this.add(field, shown, expected);
  }

  /** @param expected describes in words what would fit */
  need(holds: boolean, field: string, shown: unknown, expected: string): void {
    if (!holds) this.add(field, shown, expected);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : name === '' ? this.path : `${this.path}.${name}`;
  }
}
