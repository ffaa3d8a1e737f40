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

  constructor(log: Log) {
    this.#log = log;
  }

  startTick(): void {
    this.#before = new Set(this.#found);
    this.#found = [];
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

  get first(): string | undefined {
    return this.#found[0];
  }
}

/** An RPC URL may contain a provider's API key. */
const withoutUrls = (text: string): string =>
  (text.split('\n')[0] ?? '').replace(/\b(?:https?|wss?):\/\/\S+/g, '<rpc>').slice(0, 300);
