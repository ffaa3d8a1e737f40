/** The part of a structured logger that anchoring uses. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * What keeps anchoring from going on, gathered over one tick, and suspicions that must outlast several ticks:
 * one look that finds nothing is never evidence (docs/decisions/0012-stage-sign-store-send.md).
 */
export class Problems {
  readonly #log: Log;
  #found: string[] = [];
  #before = new Set<string>();
  #tick = 0;
  readonly #suspicions = new Map<string, { looks: number; tick: number }>();

  constructor(log: Log) {
    this.#log = log;
  }

  startTick(): void {
    this.#before = new Set(this.#found);
    this.#found = [];
    this.#tick++;
    for (const [key, seen] of this.#suspicions) if (seen.tick < this.#tick - 1) this.#suspicions.delete(key);
  }

  /** Notes a problem; logged when the tick before did not have it. */
  report(text: string, fields: object = {}): void {
    const safe = withoutUrls(text);
    if (!this.#before.has(safe) && !this.#found.includes(safe)) this.#log.error(fields, `anchoring: ${safe}`);
    this.#found.push(safe);
  }

  /** How many ticks in a row, this one included, have had this suspicion. */
  suspect(key: string): number {
    const seen = this.#suspicions.get(key);
    if (seen?.tick === this.#tick) return seen.looks;
    const looks = seen?.tick === this.#tick - 1 ? seen.looks + 1 : 1;
    this.#suspicions.set(key, { looks, tick: this.#tick });
    return looks;
  }

  get first(): string | undefined {
    return this.#found[0];
  }
}

/** An RPC's address may hold a provider's key. */
function withoutUrls(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/\b(?:https?|wss?):\/\/\S+/g, '<rpc>').slice(0, 300);
}
