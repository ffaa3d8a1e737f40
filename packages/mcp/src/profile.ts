import * as svc from '@svc/cli/local-state';
import { ApiError, ConnectionError } from '@svc/sdk';
import type { BlindBody, BlindOptions, Client, Trust } from '@svc/sdk';
import type { indexReport } from '@svc/verifier/account-index';

/** Part of the JSON of `svc audit`. */
interface Audited {
  result: 'pass' | 'fail' | 'wait';
  up_to_block: number;
  trees: object;
  accounts: readonly { counts: object; faults: object[] }[];
  notices: readonly ({ username: string } & Record<string, unknown>)[];
  unread: readonly { detail: string }[];
  log?: object;
  trust: object;
}

/** Verdicts of `svc audit --index`. */
type AuditedIndex = ReturnType<typeof indexReport> & Pick<Audited, 'result' | 'trust'>;

interface Given {
  trust: Trust | undefined;
  rpcUrls: readonly string[];
  promiseKeys?: readonly string[] | undefined;
}

/**
 * Adds what `svc` stores on this machine: the pins, and the account of the profile (`SVC_PROFILE`) unless the
 * environment has one. Stores new accounts there too.
 * @throws {CommandError} when the stored values are unusable
 */
export function withProfile<Settings extends Given>(settings: Settings, env: NodeJS.ProcessEnv) {
  const opened = svc.openSession({ json: false }, env);
  const { client, baseUrl, apiKey, keyPair } = opened;
  const pin = svc.readPin(svc.pinsPath(env), client.origin);
  const { trust = pin?.trust, promiseKeys = pin?.promiseKeys } = settings;
  const keeper = keeperOf(opened, settings, env);
  // Only the service names the endpoint then.
  const fetch = settings.rpcUrls.length > 0 ? undefined : svc.guardedFetch(client.origin);
  return { ...settings, baseUrl, apiKey, keyPair, keeper, trust, promiseKeys, fetch };
}

/** Keeps keys outside the model's view. */
export type Keeper = ReturnType<typeof keeperOf>;

function keeperOf(
  { profileName, baseUrl }: ReturnType<typeof svc.openSession>,
  { rpcUrls, trust: own }: Given,
  env: NodeJS.ProcessEnv,
) {
  const path = svc.profilesPath(env);

  /** @throws {TypeError} when the audit cannot begin */
  async function runAudit<Report extends object>(
    args: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Report> {
    const flags = own && { contract: own.contract, schema: own.schemaUid, 'chain-id': own.chainId };
    const values = [
      ...Object.entries({ 'base-url': baseUrl, ...flags }),
      ...rpcUrls.map((url) => ['rpc', url] as const),
      ...(own?.relayers ?? []).map((relayer) => ['relayer', relayer] as const),
    ];
    // Large, so loaded only when needed.
    const { runIn } = await import('@svc/cli');
    let output = '';
    await runIn(
      {
        env,
        stdin: process.stdin,
        out: (text) => void (output += text),
        note: () => signal?.throwIfAborted(),
      },
      ['audit', ...args, '--json', ...values.map(([name, value]) => `--${name}=${value}`)],
    );
    const report = JSON.parse(output) as Report | { error: { message: string } };
    if ('error' in report) throw new TypeError(report.error.message);
    return report;
  }

  let renewing: Promise<string | undefined> | undefined;
  return {
    profile: profileName,
    path,
    /**
     * Concurrent calls share one renewal: an issuer may treat a second use of a refresh token as theft.
     * @returns the new key; undefined: the present key stays valid
     */
    renew: () =>
      (renewing ??= renewed(profileName, env).finally(() => {
        renewing = undefined;
      })),
    /**
     * Stores the account.
     * @throws {CommandError} when the profile has a different account, or other values of the service are pinned
     */
    async register({ client, keyPair }: Pick<Making[0], 'client' | 'keyPair'>, how: Making[1]) {
      let file: string | undefined;
      try {
        const unsure = (kept: string) => void (file = kept);
        return await svc.makeAccount({ client, keyPair, profileName, baseUrl }, how, env, unsure);
      } catch (error) {
        throw file === undefined ? error : naming(file, error);
      }
    },
    audit: (username: string, signal: AbortSignal | undefined) => runAudit<Audited>([username], signal),
    /** Keeps its state next to the profiles. */
    auditIndex: (username: string, signal: AbortSignal | undefined) =>
      runAudit<AuditedIndex>([username, '--index'], signal),
    clockWords: svc.clockWords,
    horizonWarning: svc.horizonWarning,
    /**
     * Keeps the ciphertext until the service accepts it, so that a retry under the same Idempotency-Key sends
     * the same one.
     * @throws {CommandError} when the ciphertext under this key belongs to a different request
     */
    etchBlind(
      client: Client,
      body: BlindBody,
      { idempotencyKey, ...options }: Pick<BlindOptions, 'chain' | 'sign' | 'idempotencyKey'>,
    ) {
      const key = idempotencyKey ?? svc.newIdempotencyKey();
      const place = { env, profileName, isGivenKey: idempotencyKey !== undefined };
      return svc.etchBlindOnce(client, body, { ...options, idempotencyKey: key }, place);
    },
  };
}

type Making = Parameters<typeof svc.makeAccount>;

/** The session that this process or `svc` renewed. */
async function renewed(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  await svc.renewSession(name, env);
  const { profile, apiKey } = svc.openSession({ json: false, profile: name }, env);
  return profile?.session === undefined ? undefined : apiKey;
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
