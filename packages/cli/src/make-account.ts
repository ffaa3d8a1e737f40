import { rmSync } from 'node:fs';
import {
  ApiError,
  type Client,
  ConnectionError,
  generateKeyPair,
  type KeyPair,
  MisfitError,
  type Registration,
} from '@svc/sdk';
import { contact } from './pins.ts';
import { changeProfile, chosenProfile, keyIsKept, nextTo, profilesPath } from './profiles.ts';

interface AccountTarget {
  client: Client;
  profileName: string;
  baseUrl: string;
  /** undefined: a new one */
  keyPair: KeyPair | undefined;
}

interface AccountRequest extends Pick<Registration, 'displayName' | 'agentUrl'> {
  /** get a new API key for a registered key pair */
  recover: boolean;
  force?: boolean;
}

/**
 * Registers a key pair and stores the account as a profile. `pin` pins the service.
 * @param unsure receives the file of a new key pair when the account may exist; `svc register --recover --key <file>`
 * finds out
 */
export async function makeAccount(
  { client, profileName, baseUrl, keyPair: known }: AccountTarget,
  { recover, force = false, displayName, agentUrl }: AccountRequest,
  env: NodeJS.ProcessEnv,
  unsure: (file: string) => void,
) {
  const path = profilesPath(env);
  const pin = await contact(client.origin, env);
  if (known === undefined && !force && chosenProfile(profileName, env).profile?.secret_key !== undefined)
    throw keyIsKept(path, profileName);
  const keyPair = known ?? generateKeyPair();
  // Has the new key pair until the account is stored, so that a lost answer loses no account.
  const file = known === undefined ? nextTo(path, profileName, 'unconfirmed', keyPair.secretKey) : null;
  try {
    const stranger = client.as(undefined);
    const { apiKey } = recover
      ? await stranger.recoverKey(keyPair)
      : await stranger.registerAgent(keyPair, { displayName, agentUrl });
    // The account exists now. Store the API key at once.
    const keys = { base_url: baseUrl, secret_key: keyPair.secretKey, api_key: apiKey };
    const backup = changeProfile(path, profileName, (old) => ({ ...old, ...keys }), { force });
    if (file !== null) rmSync(file, { force: true });
    const keepName = (username: string) => changeProfile(path, profileName, (old) => ({ ...old!, username }));
    return { keyPair, apiKey, backup, pin, keepName };
  } catch (error) {
    if (file === null) throw error;
    if (isRefusal(error)) rmSync(file, { force: true });
    else unsure(file);
    throw error;
  }
}

/** After any other error the account may exist. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectionError
    ? !error.mayHaveHappened
    : error instanceof ApiError && !(error instanceof MisfitError) && error.status < 500;
