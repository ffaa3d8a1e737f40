/** Packed bytes: a million objects would fill the memory. */
export class LeafList {
  readonly count: number;
  private readonly bytes: Buffer;
  private readonly width: number;

  constructor(treeVersion: 1 | 2, packed: Uint8Array) {
    this.bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
    this.width = treeVersion === 2 ? 48 : 32;
    this.count = packed.length / this.width;
  }

  hash(index: number): string {
    const end = (index + 1) * this.width;
    return this.bytes.toString('hex', end - 32, end);
  }

  has(hash: string): boolean {
    const wanted = Buffer.from(hash, 'hex');
    for (let at = 0; (at = this.bytes.indexOf(wanted, at)) !== -1; at++)
      if ((at + wanted.length) % this.width === 0) return true;
    return false;
  }

  userId(index: number): string {
    const at = index * this.width;
    const hex = this.bytes.toString('hex', at, at + 16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}
