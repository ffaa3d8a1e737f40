import type { Misfit } from './misfit-words.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** An answer may be any JSON. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The value at a dotted path. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, field) => fieldsOf(inner)[field], value);

const ORIGIN = /^https?:\/\/[a-z0-9._:[\]-]+$/;

/**
 * Programs print links and write them into files of lines, so a link is an origin and a path, without credentials,
 * control characters or markup.
 */
export function originOfLink(link: unknown, path: string): string | null {
  if (typeof link !== 'string' || !link.endsWith(path) || !/^[!-~]*$/.test(path)) return null;
  const origin = link.slice(0, link.length - path.length);
  return ORIGIN.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin ? origin : null;
}

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

  /** Compares the values at these paths. */
  same(shown: unknown, expected: Fields): void {
    for (const [path, value] of Object.entries(expected)) this.equal(path, at(shown, path), value);
  }

  /** @param expected in words */
  fits(shown: unknown, path: string, isFit: (value: unknown) => boolean, expected: string): void {
    const value = at(shown, path);
    this.need(isFit(value), path, value, expected);
  }

  need(holds: boolean, field: string, shown: unknown, expected: string): void {
    if (!holds) this.add(field, shown, expected);
  }

  /** The service chooses the origin. */
  address(shown: unknown, field: string, path: string): void {
    const isLink = (value: unknown) => originOfLink(value, path) !== null;
    this.fits(shown, field, isLink, `an http or https origin and ${path}`);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : name === '' ? this.path : `${this.path}.${name}`;
  }
}
