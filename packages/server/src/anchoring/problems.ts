// Problems of anchoring, logged once while they last, and suspicions that only several looks in a row confirm.
import type { Hex } from '../chain/port.ts';

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type NamesSetting =
  `${'CHAIN_RPC_URL' | 'RELAYER_PRIVATE_KEY' | 'MAX_FEE_GWEI' | 'ANCHOR_CONFIRMATIONS'}: ${string}`;

export interface Problem {
  readonly text: NamesSetting;
  readonly fields: object;
}

export class Problems {
  readonly #log: Log;
  #found: string[] = [];
  #before = new Set<string>();
  #catchesUp = false;
  #caughtUpBefore = true;

  constructor(log: Log) {
    this.#log = log;
  }

  startTick(): void {
    this.#before = new Set(this.#found);
    this.#found = [];
    this.#caughtUpBefore = !this.#catchesUp;
    this.#catchesUp = false;
  }

  /** Not a problem: anchoring waits until the search ends. Logs its beginning. */
  catchUp(fields: { block: number; of: number }): void {
    if (this.#caughtUpBefore && !this.#catchesUp)
      this.#log.info(
        fields,
        'anchoring: catching up: the chain is searched for attestations that the database does not know',
      );
    this.#catchesUp = true;
  }

  /** Logs a problem once, until a tick does not have it. */
  report(text: NamesSetting, fields: object = {}): void {
    const safe = withoutUrls(text);
    if (!this.#before.has(safe) && !this.#found.includes(safe)) this.#log.error(fields, `anchoring: ${safe}`);
    this.#found.push(safe);
  }

  /** A message without a setting's name is about the endpoint. */
  reportFault({ message }: Error): void {
    this.report(/^[A-Z_]+: /.test(message) ? (message as NamesSetting) : `CHAIN_RPC_URL: ${message}`);
  }

  /** what the status shows */
  get state(): { failure: string | undefined; catchingUp: boolean } {
    return { failure: this.#found[0], catchingUp: this.#catchesUp };
  }
}

/** An RPC URL may contain a provider's API key. */
const withoutUrls = (text: string): string =>
  (text.split('\n')[0] ?? '').replace(/\b(?:https?|wss?):\/\/\S+/g, '<rpc>').slice(0, 300);

/**
 * One look at the chain cannot prove a suspicion; `rules.looks` looks in a row count. `unseen`: the node does not
 * show a form that it accepted.
 */
export type Suspicion =
  | { readonly kind: 'spent' | 'failed' | 'unrevoked' | 'gone'; readonly tx: number }
  | { readonly kind: 'underpriced' | 'unseen'; readonly form: Hex }
  /** no transaction of ours will spend it */
  | { readonly kind: 'gap'; readonly nonce: number };

export type SuspicionKind = Suspicion['kind'];

/** Drops a suspicion that a tick does not repeat. */
export class Suspicions {
  #tick = 0;
  readonly #seen = new Map<string, { looks: number; tick: number }>();

  startTick(): void {
    this.#tick++;
    for (const [suspicion, { tick }] of this.#seen) if (tick < this.#tick - 1) this.#seen.delete(suspicion);
  }

  looks(suspicion: Suspicion): number {
    const key = JSON.stringify(suspicion);
    const before = this.#seen.get(key);
    if (before?.tick === this.#tick) return before.looks;
    const looks = before?.tick === this.#tick - 1 ? before.looks + 1 : 1;
    this.#seen.set(key, { looks, tick: this.#tick });
    return looks;
  }
}
