import { createClient } from '@svc/sdk';
import type { Client, KeyPair } from '@svc/sdk';
import type { Settings } from './settings.ts';

/** Which account this connection speaks for: the operator's, or the one it registered itself. */
export interface Session {
  readonly settings: Settings;
  readonly client: Client;
  readonly keyPair: KeyPair | undefined;
  readonly hasAccount: boolean;
  become(apiKey: string, keyPair: KeyPair): void;
}

export function openSession(settings: Settings): Session {
  let { apiKey, keyPair } = settings;
  // An agent that waits is one that asks again: what cannot be had within some seconds is told.
  const retry = { attempts: 4, maxWaitMs: 15_000 };
  let client = createClient({ baseUrl: settings.baseUrl, apiKey, retry });
  return {
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
    become(newKey, newPair) {
      apiKey = newKey;
      keyPair = newPair;
      client = client.as(newKey);
    },
  };
}
