/** Common providers accept this many blocks in one request for logs. */
const COMMON_SPAN = 10_000;
const CALM = 32;

/**
 * How many blocks the next request for logs covers. An endpoint may limit blocks or logs, and does not say which: a
 * rejected range is halved, and a range that passed 32 times is doubled.
 * @example
 * const span = new LogSpan(100_000);
 * span.rejected(100_000); // true
 * span.blocks; // 10000
 */
export class LogSpan {
  blocks: number;
  #calm = 0;

  constructor(blocks = COMMON_SPAN) {
    this.blocks = blocks;
  }

  accepted(): void {
    if (++this.#calm % CALM === 0 && this.blocks < COMMON_SPAN)
      this.blocks = Math.min(this.blocks * 2, COMMON_SPAN);
  }

  /** @returns false: one block cannot be halved */
  rejected(blocks: number): boolean {
    this.blocks = blocks > COMMON_SPAN ? COMMON_SPAN : Math.ceil(blocks / 2);
    this.#calm = 0;
    return blocks > 1;
  }
}
