import { isHex, isUuid } from './hex.ts';
import { isTime } from './time.ts';

/** `field`: path of the first wrong field. */
export class ReceiptError extends Error {
  override name = 'ReceiptError';
  readonly field: string;
  constructor(field: string, fault: string) {
    super(field === '' ? `the receipt ${fault}` : `${field} ${fault}`);
    this.field = field;
  }
}

/** Ignores inherited properties. */
export class Fields {
  private readonly source: object;
  private readonly path: string;

  private constructor(source: object, path: string) {
    this.source = source;
    this.path = path;
  }

  static of(value: unknown, path: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ReceiptError(path.replace(/\.$/, ''), 'is not an object');
    return new Fields(value, path);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.source, name);
  }

  object(name: string): Fields {
    return Fields.of(this.read(name), `${this.path}${name}.`);
  }

  nullable<T>(name: string, read: (name: string) => T): T | null {
    return this.read(name) === null ? null : read(name);
  }

  text(name: string): string {
    return this.matching(name, (value) => typeof value === 'string', 'is not a string');
  }

  uuid(name: string): string {
    return this.matching(name, isUuid, 'is not a uuid in lower case');
  }

  time(name: string): string {
    return this.matching(name, isTime, 'is not a UTC time with milliseconds');
  }

  hex(name: string, bytes: number): string {
    return this.matching(name, (value) => isHex(value, bytes), `is not ${2 * bytes} lower-case hex digits`);
  }

  prefixedHex(name: string, bytes: number): string {
    const prefixed = (value: unknown): value is string =>
      typeof value === 'string' && value.startsWith('0x') && isHex(value.slice(2), bytes);
    return this.matching(name, prefixed, `is not 0x and ${2 * bytes} lower-case hex digits`);
  }

  /** In lower case, because a checksum address mixes cases. */
  address(name: string): string {
    const address = (value: unknown): value is string =>
      typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value);
    return this.matching(name, address, 'is not 0x and 40 hex digits').toLowerCase();
  }

  integer(name: string, least: number, most: number): number {
    const inRange = (value: unknown): value is number =>
      Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    return this.matching(name, inRange, `is not a whole number from ${least} to ${most}`);
  }

  oneOf<const T>(name: string, values: readonly T[]): T {
    const known = (value: unknown): value is T => values.includes(value as T);
    return this.matching(name, known, `is not ${values.map((value) => JSON.stringify(value)).join(' or ')}`);
  }

  list(name: string): unknown[] {
    return this.matching<unknown[]>(name, Array.isArray, 'is not a list');
  }

  hashes(name: string, most: number): string[] {
    const list = this.list(name);
    if (list.length > most) throw this.fault(name, `has more than ${most} hashes`);
    return list.map((hash, i) => {
      if (!isHex(hash, 32)) throw this.fault(`${name}[${i}]`, 'is not 64 lower-case hex digits');
      return hash;
    });
  }

  private matching<T>(name: string, matches: (value: unknown) => value is T, fault: string): T {
    const value = this.read(name);
    if (!matches(value)) throw this.fault(name, fault);
    return value;
  }

  private read(name: string): unknown {
    if (!this.has(name)) throw this.fault(name, 'is missing');
    return (this.source as Record<string, unknown>)[name];
  }

  private fault(name: string, fault: string): ReceiptError {
    return new ReceiptError(`${this.path}${name}`, fault);
  }
}
