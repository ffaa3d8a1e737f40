import { ApiError } from '@svc/sdk';
import { boundParts, isDevelopmentChain } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { followScope, parseScope, readWords } from '@svc/protocol/conventions';
import type { DatedScope, ScopeHistory, ScopeWords } from '@svc/protocol/conventions';
import { CommandError, EXIT } from '../exit.ts';
import { asRefusal } from '../files/find-files.ts';
import type { Context } from '../context.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';
import { onDevelopment, worstResult } from '../verdict-words.ts';
import type { Result } from '../verdict-words.ts';
import type { CheckedEtch } from '../verify/checked-etch.ts';
import { findAccount } from './audit-accounts.ts';
import type { Account } from './audit-accounts.ts';
import { checkDomain } from './check-domain.ts';
import type { AuditJob } from './job.ts';
import { sha256 } from './native-hash.ts';

/** What a scope declares, before its accounts are audited. */
export interface FoundScope {
  /** id of the etch with the scope */
  etch: string;
  history: ScopeHistory;
  author: Account;
  /** the author and the accounts of the scope that counts now */
  accounts: Account[];
  /** declared accounts that the service does not have under this name and id */
  faults: string[];
}

/**
 * Reads the scope, the later scopes in its author's record, and its accounts.
 * @param etch checked as by `svc verify`
 * @throws {CommandError} on an etch that declares no scope
 */
export async function findScope(job: AuditJob, etch: CheckedEtch): Promise<FoundScope> {
  const { etch_id: id, author, chain } = etch.receipt;
  const words = asRefusal(() => parseScope(etch.content), EXIT.fail);
  refuseOwnAccount(words, author.user_id, EXIT.fail);
  const declared: DatedScope = { etch: id, anchored_at: chain.anchored_at, words };
  const history = followScope(declared, await laterScopes(job, author.username, id));
  const accounts: Account[] = [author];
  const faults: string[] = [];
  for (const { id: wanted, username } of history.current.words.accounts) {
    const found = await findAccount(job, username).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
    if (found?.user_id === wanted) accounts.push(found);
    else faults.push(`the service has no account ${username} with the id ${wanted}`);
  }
  return { etch: id, history, author, accounts, faults };
}

/** @throws {CommandError} on a scope that lists its author */
function refuseOwnAccount({ accounts }: ScopeWords, author: string, status: number): void {
  if (accounts.some(({ id }) => id === author))
    throw new CommandError(
      status,
      `the scope names its author ${author}: remove the line, because the author is always part of the scope`,
    );
}

/** Before an etch. @throws {CommandError} on a scope that is sealed or lists its author */
export async function refuseScope(
  content: string,
  options: ServiceOptions & { sealedUntil?: string },
  { env }: Context,
): Promise<void> {
  const words = readWords(content);
  if (words.kind !== 'scope') return;
  if (options.sealedUntil !== undefined)
    throw new CommandError(EXIT.usage, 'a scope is public at once: omit --sealed-until');
  refuseOwnAccount(words, (await openSession(options, env).client.me()).id, EXIT.usage);
}

/** The instant scopes of a record that are newer than the declared one, oldest first. */
async function laterScopes({ client }: AuditJob, username: string, id: string): Promise<DatedScope[]> {
  const scopes: DatedScope[] = [];
  // Records list the newest etch first.
  for await (const etch of client.record(username, { limit: 100 })) {
    if (etch.id === id && etch.mode !== 'instant')
      throw new CommandError(
        EXIT.fail,
        `etch ${id} was sealed: a scope must be public at once, so it declares none`,
      );
    if (etch.id === id) return scopes.reverse();
    if (etch.mode !== 'instant') continue;
    // The audit of this account checks that these words make the hash on the chain.
    const words = readWords(boundParts(etch, sha256)?.content ?? '');
    if (words.kind === 'scope') scopes.push({ etch: etch.id, anchored_at: etch.chain.anchored_at, words });
  }
  throw new CommandError(EXIT.fail, `FAIL: the record of ${username} does not have the etch ${id}`);
}

export interface JudgedScope {
  etch: string;
  state: ScopeHistory['state'];
  result: Result;
  verdict: string;
  /** what the domain lists; null without a domain */
  domain: string | null;
}

/** The verdict on a scope. @param audited the result of the audit of its accounts */
export async function judgeScope(
  { history, author, accounts, faults, etch: declaredBy }: FoundScope,
  audited: Result,
  trust: Trust,
): Promise<JudgedScope> {
  const { words } = history.current;
  const ids = [author.user_id, ...words.accounts.map(({ id }) => id)];
  const listed = words.domain === null ? null : await checkDomain(words.domain, ids);
  const broken = [
    ...(history.state === 'broken'
      ? [`${history.detail}, by etch ${history.by!.etch} of ${dateOf(history.by)}`]
      : []),
    ...faults,
    ...(listed?.result === 'fail' ? [listed.detail] : []),
    ...(audited === 'fail' ? ['the record of an account is not complete; the lines above name it'] : []),
  ];
  const result = worstResult([broken.length > 0 ? 'fail' : 'pass', audited, listed?.result ?? 'pass']);
  const subject = JSON.stringify(words.subject);
  const declared = `${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'} for ${subject}`;
  const verdict =
    result === 'fail'
      ? `FAIL: broken: ${broken.join('; ')}.`
      : result === 'wait'
        ? `WAIT: ${listed?.result === 'wait' ? listed.detail : 'the records of the declared accounts cannot be confirmed now'}.`
        : history.state === 'widened'
          ? `PASS: complete as declared and widened on ${dateOf(history.by)} by etch ${history.by!.etch}: ${declared}.`
          : `PASS: complete as declared: ${declared}.`;
  return {
    ...{ etch: declaredBy, state: history.state, result },
    verdict: onDevelopment(verdict, result === 'pass' && isDevelopmentChain(trust)),
    domain: listed?.detail ?? null,
  };
}

const dateOf = (scope: DatedScope | null): string => scope?.anchored_at?.slice(0, 10) ?? '(not anchored yet)';
