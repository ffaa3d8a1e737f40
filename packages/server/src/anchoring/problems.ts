/** The part of a structured logger that anchoring uses. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A message that begins with the setting to change, or to look at first. */
export type NamesSetting =
  `${'CHAIN_RPC_URL' | 'RELAYER_PRIVATE_KEY' | 'MAX_FEE_GWEI' | 'ANCHOR_CONFIRMATIONS'}: ${string}`;

/** What keeps anchoring from going on, in words for the operator and with what the log notes beside them. */
export interface Problem {
  readonly text: NamesSetting;
  readonly fields: object;
}

/** The problems of one tick. */
export class Problems {
  readonly #log: Log;
  #found: string[] = [];
  #before = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  startTick(): void {
    this.#before = new Set(this.#found);
    this.#found = [];
  }

  /** Notes a problem; logged when the tick before did not have it. */
  report(text: NamesSetting, fields: object = {}): void {
    const safe = withoutUrls(text);
    if (!this.#before.has(safe) && !this.#found.includes(safe)) this.#log.error(fields, `anchoring: ${safe}`);
    this.#found.push(safe);
  }

  /** What an answer of the chain, or none, told: where nothing names a setting yet, it is the endpoint's. */
  reportFault({ message }: Error): void {
    this.report(/^[A-Z_]+: /.test(message) ? (message as NamesSetting) : `CHAIN_RPC_URL: ${message}`);
  }

  get first(): string | undefined {
    return this.#found[0];
  }
}

/** An RPC's address may hold a provider's key. */
function withoutUrls(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/\b(?:https?|wss?):\/\/\S+/g, '<rpc>').slice(0, 300);
}
