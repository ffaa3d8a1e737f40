import {
  changeProfile,
  CommandError,
  contact,
  openSession,
  pinsPath,
  profilesPath,
  readPin,
  renewSession,
} from '@svc/cli/keeping';
import type { Keeper, Settings } from './settings.ts';

/**
 * The settings with what `svc` keeps on this machine: the account of the profile in use (`SVC_PROFILE`), where the
 * environment names none, and whom it pinned. What is registered is kept there too, and stays out of every answer.
 * @throws {TypeError} when what is kept cannot be used
 */
export function withProfile(settings: Settings, env: NodeJS.ProcessEnv): Settings {
  return refusing(() => {
    const path = profilesPath(env);
    const { client, profileName, baseUrl, apiKey, keyPair } = openSession({ json: false }, env);
    const pin = readPin(pinsPath(env), client.origin);
    let renewing: Promise<string | undefined> | undefined;
    const keeper: Keeper = {
      profile: profileName,
      path,
      // Calls that come at once share it: an issuer may take a second use of the same means for theft.
      renew: () =>
        (renewing ??= renewed(profileName, env).finally(() => {
          renewing = undefined;
        })),
      meet: () => contact(client.origin, env).catch(refused),
      keep: ({ keyPair: { secretKey }, apiKey: given, username }) =>
        refusing(
          () =>
            void changeProfile(path, profileName, (old) => ({
              ...old,
              base_url: baseUrl,
              secret_key: secretKey,
              ...(given === undefined ? {} : { api_key: given }),
              ...(username === undefined ? {} : { username }),
            })),
        ),
    };
    return { ...settings, baseUrl, apiKey, keyPair, keeper, trust: settings.trust ?? pin?.trust };
  });
}

/** The session of the profile, as it is kept after this; `svc` may have renewed it too. @returns undefined without one */
async function renewed(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  await renewSession(name, env).catch(refused);
  return refusing(() => {
    const { profile, apiKey } = openSession({ json: false, profile: name }, env);
    return profile?.session === undefined ? undefined : apiKey;
  });
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refused(error);
  }
}

/** In the words of `svc`, which name files and profiles and never a key. */
function refused(error: unknown): never {
  throw error instanceof CommandError ? new TypeError(error.message, { cause: error }) : error;
}
