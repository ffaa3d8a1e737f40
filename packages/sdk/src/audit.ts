import type { IndexFindings, KeptIndex } from '@svc/verifier/account-index';
import { ApiError, ConnectionError } from './errors.ts';
import { list } from './paged.ts';
import type { Transport } from './transport.ts';
import type { VerifiedTrust, VerifyOptions } from './verdict.ts';

export interface AuditIndexOptions extends Omit<VerifyOptions, 'authorKey'> {
  /** keys of the log of this service that you trust; default: those that the service publishes */
  readonly logKeys?: readonly string[] | undefined;
  /** the log and the witnesses that you trust, as text (C2SP tlog-policy) */
  readonly policy?: string | undefined;
  /** names in the policy of witnesses that recompute the index */
  readonly indexWitnesses?: readonly string[] | undefined;
  /** what the last audit of this account on this service returned: the index must continue it */
  readonly kept?: KeptIndex | undefined;
}

export interface AuditedIndex {
  /** `pass` only with `trust`, and if a witness of `indexWitnesses` cosigned under the policy */
  result: 'pass' | 'fail' | 'wait';
  trust: VerifiedTrust;
  findings: IndexFindings;
  /** store it for the next audit; null when the index was not read to its end */
  kept: KeptIndex | null;
}

const PAGE = 100;

export function auditCalls(transport: Transport) {
  return {
    /**
     * Proves by the index of accounts that a record leaves nothing out (docs/audit.md#one-account-by-the-index). Reads
     * only the entries of the account.
     * @throws {ApiError} `not_found` for an unknown account
     * @throws {TlogError} when a key or the policy is malformed
     * @throws {TypeError} when the trust is malformed, the policy has no such witness or not the log of the service,
     *   `kept` is of another account or log, or no endpoint is known
     * @example
     * (await client.auditIndex(etch.author.username, { trust })).result; // 'wait'
     */
    async auditIndex(
      username: string,
      { logKeys, policy: text, indexWitnesses = [], kept, ...options }: AuditIndexOptions = {},
    ): Promise<AuditedIndex> {
      const [{ isUuid }, index, tlog, { chooseChain, verifiedTrust }] = await Promise.all([
        import('@svc/protocol'),
        import('@svc/verifier/account-index'),
        import('@svc/protocol/tlog'),
        import('./verdict.ts'),
      ]);
      const policy = text === undefined ? null : tlog.parsePolicy(text);
      const unknown = indexWitnesses.find((name) => !policy?.witnesses.some((one) => one.name === name));
      if (unknown !== undefined) throw new TypeError(`indexWitnesses: the policy has no witness ${unknown}`);
      const isKeyed = logKeys !== undefined || policy !== null;
      const { values, reader, facts } = await chooseChain(transport, options, !isKeyed);
      const pinnedKeys = (logKeys ?? (isKeyed ? [] : facts!.logKeys)).map(tlog.parseVerifierKey);
      const { host } = new URL(transport.origin);
      const keys = index.keysOfLog(pinnedKeys, policy, host);
      if (keys.length === 0 && policy !== null)
        throw new TypeError(`policy: it has no log ${host}/log; name the keys of the log with logKeys`);
      const of = { username };
      // The audit reports a row that does not fit.
      const unchecked = { check: false };
      const { signal } = options;
      const rows = (limit: number) =>
        list(transport, 'listUserEtches', 'etches', { limit, signal }, of, unchecked);
      const { user } = await rows(1).first();
      if (!isUuid(user.user_id))
        throw new ApiError('the service names the account without a uuid', {
          code: 'unexpected',
          status: 200,
        });
      const findings = await index.auditByIndex({
        log: index.logReader(`${transport.origin}/log`, transport.fetch),
        account: { username: user.username, user_id: user.user_id },
        keys,
        policy,
        indexWitnesses,
        kept,
        now: transport.clock.now() / 1000,
        record: pagesOf(rows(PAGE).pages()),
        chain: { reader, trust: values },
        whyUnread: (error) =>
          error instanceof ApiError || error instanceof ConnectionError ? error.message : undefined,
      });
      const found = index.indexResult(findings);
      const pinned = options.trust !== undefined;
      const result = found === 'operator' || (found === 'pass' && !pinned) ? 'wait' : found;
      const trust = verifiedTrust(values, pinned);
      return { result, trust, findings, kept: findings.index?.kept ?? null };
    },
  };
}

/** An account whose record was removed has none. */
async function* pagesOf<Etch>(pages: AsyncIterable<{ etches: Etch[] }>): AsyncGenerator<Etch[]> {
  try {
    for await (const { etches } of pages) yield etches;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}
