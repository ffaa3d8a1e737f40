import * as svc from '@svc/cli/keeping';
import { ApiError, ConnectionError } from '@svc/sdk';
import type { Audited, Keeper, Settings } from './settings.ts';

/**
 * Adds what `svc` stores on this machine: the pins, and the account of the profile (`SVC_PROFILE`) unless the
 * environment has one. Stores new accounts there too.
 * @throws {TypeError} when the stored values are unusable
 */
export function withProfile(settings: Settings, env: NodeJS.ProcessEnv): Settings {
  return refusing(() => {
    const path = svc.profilesPath(env);
    const { client, profileName, baseUrl, apiKey, keyPair } = svc.openSession({ json: false }, env);
    const pin = svc.readPin(svc.pinsPath(env), client.origin);
    let renewing: Promise<string | undefined> | undefined;
    const keeper: Keeper = {
      profile: profileName,
      path,
      // Concurrent calls share one renewal: an issuer may treat a second use of a refresh token as theft.
      renew: () =>
        (renewing ??= renewed(profileName, env).finally(() => {
          renewing = undefined;
        })),
      meet: () => svc.contact(client.origin, env).catch(refused),
      keep: ({ keyPair: { secretKey }, apiKey: given, username }) =>
        refusing(
          () =>
            void svc.changeProfile(path, profileName, (old) => ({
              ...old,
              base_url: baseUrl,
              secret_key: secretKey,
              api_key: given,
              ...(username === undefined ? {} : { username }),
            })),
        ),
      async audit(username, signal) {
        const { rpcUrls, trust: own } = settings;
        const flags = own && { contract: own.contract, schema: own.schemaUid, 'chain-id': own.chainId };
        const values = [
          ...Object.entries({ 'base-url': baseUrl, ...flags }),
          ...[...rpcUrls].map((url) => ['rpc', url] as const),
          ...(own?.relayers ?? []).map((relayer) => ['relayer', relayer] as const),
        ];
        // Large, so loaded only when needed.
        const { runIn } = await import('@svc/cli');
        let said = '';
        await runIn(
          {
            ...{ env, stdin: process.stdin, out: (text) => void (said += text) },
            note: () => signal?.throwIfAborted(),
          },
          ['audit', username, '--json', ...values.map(([name, value]) => `--${name}=${value}`)],
        );
        const report = JSON.parse(said) as Audited & { error?: { message: string } };
        if (report.error !== undefined) throw new TypeError(report.error.message);
        return report;
      },
      clockWords: svc.clockWords,
      horizonWarning: svc.horizonWarning,
      etchBlind: (
        client,
        { sealed_until, ...body },
        { idempotencyKey = svc.newIdempotencyKey(), ...options },
      ) =>
        svc
          .etchBlindOnce(client, { ...body, until: () => Promise.resolve(sealed_until) }, options, {
            env,
            profileName,
            idempotencyKey,
          })
          .catch(refused),
      async withNewKey(pair, register) {
        const { secret_key: kept } = svc.findProfile(svc.readProfiles(path), profileName) ?? {};
        if (kept !== undefined) refused(svc.keyIsKept(path, profileName));
        let file: string | undefined;
        try {
          return await svc.withNewKey(path, profileName, pair, register, (kept) => void (file = kept));
        } catch (error) {
          throw file === undefined ? error : naming(file, error);
        }
      },
    };
    const { trust = pin?.trust, promiseKeys = pin?.promiseKeys } = settings;
    return { ...settings, baseUrl, apiKey, keyPair, keeper, trust, promiseKeys };
  });
}

/** The session that this process or `svc` renewed. */
async function renewed(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  await svc.renewSession(name, env).catch(refused);
  return refusing(() => {
    const { profile, apiKey } = svc.openSession({ json: false, profile: name }, env);
    return profile?.session === undefined ? undefined : apiKey;
  });
}

/** The person who runs this server can get an API key with this file. */
function naming(file: string, error: unknown): unknown {
  const where = `the new key pair is kept in ${file} on the machine of svc-mcp: svc register --recover --key asks for its API key`;
  if (error instanceof ConnectionError)
    return new ConnectionError(`${error.message}; ${where}`, { cause: error, mayHaveHappened: true });
  if (error instanceof ApiError)
    return new ApiError(`${error.message}; ${where}`, { code: error.code, status: error.status });
  return error;
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refused(error);
  }
}

/** The messages of `svc` never contain a key. */
function refused(error: unknown): never {
  throw error instanceof svc.CommandError ? new TypeError(error.message, { cause: error }) : error;
}
