import { type Client, createClient, type KeyPair } from '@svc/sdk';
import type { Settings } from './settings.ts';

/** Uses the operator's account, or an account that the connection registered. */
export interface Session {
  readonly settings: Settings;
  readonly client: Client;
  readonly keyPair: KeyPair | undefined;
  readonly hasAccount: boolean;
  /** no answer may contain these; empty over HTTP, where `register` must return the keys */
  readonly secrets: readonly string[];
  /** If this machine stores a refresh token. */
  renew(): Promise<void>;
  become(apiKey: string, keyPair: KeyPair): void;
  /** A session for one call. @throws {TypeError} when the connection has an account */
  speakingFor(apiKey: string | undefined): Session;
}

// An agent also retries.
const PATIENT = { attempts: 4, maxWaitMs: 15_000 };
/** Inside the service a retry would fail the same way. */
const PROMPT = { attempts: 1 };

export function openSession(settings: Settings): Session {
  let { apiKey, keyPair } = settings;
  const { baseUrl, fetch, perRequest, trust, promiseKeys, drand } = settings;
  const pins = { trust, promiseKeys, drand };
  let client = createClient({
    ...{ baseUrl, apiKey, fetch, pins, retry: perRequest ? PROMPT : PATIENT },
    // Inside the service, this would compare the service with itself.
    checkAnswers: perRequest !== true,
  });
  const session: Session = {
    settings,
    get client() {
      return client;
    },
    get keyPair() {
      return keyPair;
    },
    get hasAccount() {
      return apiKey !== undefined;
    },
    get secrets() {
      return perRequest ? [] : [apiKey, keyPair?.secretKey].filter((secret) => secret !== undefined);
    },
    async renew() {
      const renewed = await settings.keeper?.renew();
      if (renewed === undefined || renewed === apiKey) return;
      apiKey = renewed;
      client = client.as(renewed);
    },
    become(newKey, newPair) {
      apiKey = newKey;
      keyPair = newPair;
      client = client.as(newKey);
    },
    speakingFor(other) {
      if (other === undefined) return session;
      if (apiKey !== undefined) throw new TypeError('this connection already has an account: omit api_key');
      return openSession({ ...settings, apiKey: other });
    },
  };
  return session;
}
