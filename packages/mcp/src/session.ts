import { type Client, createClient, type KeyPair } from '@svc/sdk';
import type { Settings } from './settings.ts';

// An agent also retries.
const PATIENT = { attempts: 4, maxWaitMs: 15_000 };
/** Inside the service a retry would fail the same way. */
const PROMPT = { attempts: 1 };

/** Uses the operator's account, or an account that the connection registered. */
export class Session {
  readonly settings: Settings;
  client: Client;
  keyPair: KeyPair | undefined;
  #apiKey: string | undefined;

  constructor(settings: Settings) {
    const { baseUrl, apiKey, fetch, perRequest, trust, promiseKeys, drand } = settings;
    this.settings = settings;
    this.keyPair = settings.keyPair;
    this.#apiKey = apiKey;
    this.client = createClient({
      baseUrl,
      apiKey,
      fetch,
      pins: { trust, promiseKeys, drand },
      retry: perRequest ? PROMPT : PATIENT,
      // Inside the service, this would compare the service with itself.
      checkAnswers: perRequest !== true,
    });
  }

  get hasAccount(): boolean {
    return this.#apiKey !== undefined;
  }

  /** No answer may contain these. Empty over HTTP, where `register` must return the keys. */
  get secrets(): readonly string[] {
    const secrets = this.settings.perRequest ? [] : [this.#apiKey, this.keyPair?.secretKey];
    return secrets.filter((secret) => secret !== undefined);
  }

  /** If this machine stores a refresh token. */
  async renew(): Promise<void> {
    const renewed = await this.settings.keeper?.renew();
    if (renewed !== undefined && renewed !== this.#apiKey) this.become(renewed, this.keyPair);
  }

  become(apiKey: string, keyPair: KeyPair | undefined): void {
    this.#apiKey = apiKey;
    this.keyPair = keyPair;
    this.client = this.client.as(apiKey);
  }

  /** A session for one call. @throws {TypeError} when the connection has an account */
  speakingFor(apiKey: string | undefined): Session {
    if (apiKey === undefined) return this;
    if (this.hasAccount) throw new TypeError('this connection already has an account: omit api_key');
    return new Session({ ...this.settings, apiKey });
  }
}
