import { malformed } from '../timestamp-error.ts';

/** Every method throws a `TimestampError` (`malformed`) at the end. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  take(count: number): Uint8Array {
    const end = this.at + count;
    if (end > this.bytes.length) throw malformed('it ends too early');
    const taken = this.bytes.slice(this.at, end);
    this.at = end;
    return taken;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  /** LEB128, at most 53 bits. */
  varuint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER || factor > 2 ** 63) throw malformed('a number in it is too large');
      if (byte < 0x80) return value;
    }
  }

  sized(least: number, most: number): Uint8Array {
    const length = this.varuint();
    if (length < least || length > most)
      throw malformed(`a field in it has ${length} bytes; ${least} to ${most} are allowed`);
    return this.take(length);
  }

  end(): void {
    if (this.at < this.bytes.length) throw malformed('it has bytes after its end');
  }
}

/** LEB128. */
export function varuint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Uint8Array.of(...bytes, rest);
}
