import type { Misfit } from './misfit-words.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** An answer may be any JSON. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

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

  /** @param expected in words */
  need(holds: boolean, field: string, shown: unknown, expected: string): void {
    if (!holds) this.add(field, shown, expected);
  }

  /** The service chooses the part before the path. */
  address(field: string, shown: unknown, path: string): void {
    const isSo = typeof shown === 'string' && shown.endsWith(path);
    this.need(isSo, field, shown, `an address that ends with ${path}`);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : name === '' ? this.path : `${this.path}.${name}`;
  }
}
