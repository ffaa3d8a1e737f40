import type { Context } from './context.ts';
import { type Client, createClient, type KeyPair, keyPairOf, type Pins } from '@svc/sdk';
import { usageError } from './exit.ts';
import type { ServiceOptions } from './options.ts';
import { pinsPath, readPin } from './pins.ts';
import { changeProfile, chosenProfile, profilesPath } from './profiles.ts';
import { refresh } from './sign-in.ts';

export const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';

/** Flags override `SVC_BASE_URL`, `SVC_API_KEY` and `SVC_SECRET_KEY`, which override the profile. */
export function openSession(options: ServiceOptions, env: NodeJS.ProcessEnv) {
  const { profileName, profile } = chosenProfile(options.profile, env);
  const baseUrl = options.baseUrl ?? (env['SVC_BASE_URL'] || profile?.base_url || DEFAULT_BASE_URL);
  // A profile's key is for its service only.
  const isOwn = profile !== undefined && new URL(profile.base_url).origin === originOf(baseUrl);
  const apiKey =
    env['SVC_API_KEY'] || (isOwn ? (profile.api_key ?? profile.session?.access_token) : undefined);
  const secretKey = env['SVC_SECRET_KEY'] || (isOwn ? profile.secret_key : undefined);
  return {
    client: createClient({ baseUrl, apiKey, pins: pinsOf(originOf(baseUrl), env) }),
    profileName,
    profile,
    baseUrl,
    apiKey,
    keyPair: secretKey === undefined ? undefined : readKeyPair(secretKey),
  };
}

export const clientOf = (options: ServiceOptions, { env }: Pick<Context, 'env'>): Client =>
  openSession(options, env).client;

function pinsOf(origin: string, env: NodeJS.ProcessEnv): Pins {
  const pin = readPin(pinsPath(env), origin);
  return pin === null ? {} : { trust: pin.trust, promiseKeys: pin.promiseKeys };
}

function originOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageError(`${url} is not an http or https url`);
  return new URL(url).origin;
}

export function readKeyPair(secretKey: string): KeyPair {
  try {
    return keyPairOf(secretKey.trim());
  } catch {
    throw usageError('the secret key is not 32 bytes in hex (64 digits)');
  }
}

const EARLY_MS = 60_000;

/** Does nothing unless the session is about to end and has a refresh token. */
export async function renewSession(chosen: string | undefined, env: NodeJS.ProcessEnv): Promise<void> {
  if (env['SVC_API_KEY']) return;
  const { profileName, profile } = chosenProfile(chosen, env);
  const session = profile?.session;
  if (session?.refresh_token === undefined || session.expires_at === null) return;
  if (session.expires_at - Date.now() > EARLY_MS) return;
  try {
    const renewed = await refresh(session);
    changeProfile(profilesPath(env), profileName, (old) => ({ ...(old ?? profile!), session: renewed }));
  } catch {
    // The next request reports it.
  }
}
