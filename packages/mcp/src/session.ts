import { createClient } from '@svc/sdk';
import type { Client, KeyPair } from '@svc/sdk';
import type { Settings } from './settings.ts';

/** Which account this connection speaks for: the operator's, or the one it registered itself. */
export interface Session {
  readonly settings: Settings;
  readonly client: Client;
  readonly keyPair: KeyPair | undefined;
  readonly hasAccount: boolean;
  /** what no answer may hold; over HTTP none, for who registers there has no other way to be told */
  readonly secrets: readonly string[];
  /** Before anything is asked: the account's session is one that lasts, where this machine keeps the means. */
  renew(): Promise<void>;
  become(apiKey: string, keyPair: KeyPair): void;
  /** The same connection, for one call, as the account of this key. @throws {TypeError} when it has one already */
  speakingFor(apiKey: string | undefined): Session;
}

// An agent that waits is one that asks again: what cannot be had within some seconds is told.
const PATIENT = { attempts: 4, maxWaitMs: 15_000 };
/** Inside the service a second attempt would find what the first one found; the caller hears how long to wait. */
const PROMPT = { attempts: 1 };

export function openSession(settings: Settings): Session {
  let { apiKey, keyPair } = settings;
  const { baseUrl, fetch, perRequest, trust, promiseKeys, drand } = settings;
  const pins = { trust, promiseKeys, drand };
  let client = createClient({
    ...{ baseUrl, apiKey, fetch, pins, retry: perRequest ? PROMPT : PATIENT },
    // Inside the service the tools would check the service by itself.
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
      if (apiKey !== undefined)
        throw new TypeError('this connection has an account already: leave api_key out');
      return openSession({ ...settings, apiKey: other });
    },
  };
  return session;
}
