import { NotPublic, readNamed } from '../public-fetch.ts';
import type { Fetched } from '../bounded-fetch.ts';
import { ApiError } from '@svc/sdk';
import { isUuid, parseCanonicalString, type Receipt } from '@svc/protocol';
import { boundParts, isDevelopmentChain, type RecordedEtch, type Trust } from '@svc/verifier';
import { followScope, parseScope, readScopeList, readWords } from '@svc/protocol/conventions';
import type { DatedScope, ScopeHistory, ScopeWords } from '@svc/protocol/conventions';
import { asRefusal, CommandError, EXIT, failError, usageError } from '../exit.ts';
import { type Context, when } from '../context.ts';
import type { ServiceOptions } from '../options.ts';
import { openSession } from '../session.ts';
import { onDevelopment, type Result, worstResult } from '../verdict-words.ts';
import { type Account, findAccount } from './audit-accounts.ts';
import { type AuditJob, sha256 } from './job.ts';

export interface FoundScope {
  declared: DatedScope;
  scopes: ReturnType<typeof authorScopes>;
  current: DatedScope;
  author: Account;
  accounts: Account[];
  faults: string[];
}

/** Includes the later scopes in its author's record. Give each etch of that record to `scopes` during the audit. */
export async function findScope(
  job: Pick<AuditJob, 'client'>,
  etch: { receipt: Receipt; content: string },
): Promise<FoundScope> {
  const { etch_id: id, author, chain, hash, canonical_string: canonical } = etch.receipt;
  const words = asRefusal(() => parseScope(etch.content), EXIT.fail);
  refuseOwnAccount(words, author.user_id, EXIT.fail);
  const declared: DatedScope = { etch: id, anchored_at: chain.anchored_at, words };
  const scopes = authorScopes(author.user_id, hash, parseCanonicalString(canonical!)!.createdAt);
  let isShown = false;
  for await (const one of job.client.record(author.username, { limit: 100 })) {
    scopes.add(one);
    if (one.hash !== hash) continue;
    isShown = true;
    if (one.mode !== 'instant')
      throw failError(`etch ${id} was sealed: a scope must be public at once, so it declares none`);
  }
  if (!isShown) throw failError(`FAIL: the record of ${author.username} does not have the etch ${id}`);
  const { current } = followScope(declared, scopes.later());
  const accounts: Account[] = [author];
  const faults: string[] = [];
  for (const { id: wanted, username } of current.words.accounts) {
    const found = await findAccount(job, username).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
    if (found?.user_id === wanted) accounts.push(found);
    else faults.push(`the service has no account ${username} with the id ${wanted}`);
  }
  return { declared, scopes, current, author, accounts, faults };
}

/**
 * Newer than the declared one, by the times in their words, which the hash binds; only the service states the
 * order of a record.
 */
function authorScopes(author: string, declared: string, from: string) {
  const found = new Map<string, { createdAt: string; scope: DatedScope }>();
  return {
    add(etch: RecordedEtch): void {
      if (etch.hash === declared || etch.author.user_id !== author || found.has(etch.hash)) return;
      const parts = boundParts(etch, sha256);
      if (parts === null || parts.createdAt < from) return;
      const words = readWords(parts.content);
      if (words.kind !== 'scope') return;
      const scope = { etch: etch.id, anchored_at: etch.chain.anchored_at, words };
      found.set(etch.hash, { createdAt: parts.createdAt, scope });
    },
    later: (): DatedScope[] =>
      [...found.values()].toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map(({ scope }) => scope),
  };
}

function refuseOwnAccount({ accounts }: ScopeWords, author: string, status: number): void {
  if (accounts.some(({ id }) => id === author))
    throw new CommandError(
      status,
      `the scope names its author ${author}: remove the line, because the author is always part of the scope`,
    );
}

export async function refuseScope(
  content: string,
  options: ServiceOptions & { sealedUntil?: string },
  { env }: Context,
): Promise<void> {
  const words = readWords(content);
  if (words.kind !== 'scope') return;
  if (options.sealedUntil !== undefined) throw usageError('a scope is public at once: omit --sealed-until');
  refuseOwnAccount(words, (await openSession(options, env).client.me()).id, EXIT.usage);
}

export interface JudgedScope {
  etch: string;
  state: ScopeHistory['state'];
  result: Result;
  verdict: string;
  domain: string | null;
}

export async function judgeScope(
  { declared, scopes, current, author, accounts, faults }: FoundScope,
  audited: Result,
  { trust, service }: { trust: Trust | null; service: string },
): Promise<JudgedScope> {
  const history = followScope(declared, scopes.later());
  const isNewer = history.current.etch !== current.etch;
  const { words } = current;
  const ids = [author.user_id, ...words.accounts.map(({ id }) => id)];
  const listed = words.domain === null ? null : await checkDomain(words.domain, ids, service);
  const broken = [
    ...when(
      history.state === 'broken',
      `${history.detail}, by etch ${history.by?.etch} of ${dateOf(history.by)}`,
    ),
    ...faults,
    ...(listed?.result === 'fail' ? [listed.detail] : []),
    ...when(audited === 'fail', 'the record of an account is not complete; the lines above name it'),
  ];
  const faulty: Result = broken.length > 0 ? 'fail' : 'pass';
  const result = worstResult([faulty, isNewer ? 'wait' : 'pass', audited, listed?.result ?? 'pass']);
  const count = `${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}`;
  const covered = `${count} for ${JSON.stringify(words.subject)}`;
  const verdict = {
    fail: `FAIL: broken: ${broken.join('; ')}.`,
    wait: `WAIT: ${waitingFor(isNewer, listed)}.`,
    pass:
      history.state === 'widened'
        ? `PASS: complete as declared and widened on ${dateOf(history.by)} by etch ${history.by!.etch}: ${covered}.`
        : `PASS: complete as declared: ${covered}.`,
  }[result];
  return {
    etch: declared.etch,
    state: history.state,
    result,
    verdict: onDevelopment(verdict, result === 'pass' && trust !== null && isDevelopmentChain(trust)),
    domain: listed?.detail ?? null,
  };
}

type Listed = Awaited<ReturnType<typeof checkDomain>>;

function waitingFor(isNewer: boolean, listed: Listed | null): string {
  if (isNewer) return 'a later scope appeared during the audit: run it again';
  return listed?.result === 'wait'
    ? listed.detail
    : 'the records of the declared accounts cannot be confirmed now';
}

const dateOf = (scope: DatedScope | null): string => scope?.anchored_at?.slice(0, 10) ?? '(not anchored yet)';

const PATH = '/.well-known/svc-scope.txt';
const LIMITS = { patienceMs: 15_000, most: 65_536 };

export async function checkDomain(
  domain: string,
  accounts: readonly string[],
  service: string,
): Promise<{ result: Result; detail: string }> {
  // This machine has no certificates.
  const isLoopback = /^(?:localhost|127(?:\.\d+){3})(?::|$)/.test(domain);
  const url = `${isLoopback ? 'http' : 'https'}://${domain}${PATH}`;
  const found = (result: Result, detail: string) => ({ result, detail: `${url} ${detail}` });
  const read = await readNamed(url, service, LIMITS).catch((error: unknown) => error);
  if (read instanceof Error)
    return found('wait', read instanceof NotPublic ? read.message : 'cannot be reached');
  const { status, isOk, bytes } = read as Fetched;
  if (status >= 300 && status < 400) return found('fail', 'redirects; the domain itself must serve the list');
  if (!isOk) return found(status >= 500 ? 'wait' : 'fail', `answers status ${status}`);
  if (bytes === null) return found('fail', `is larger than ${LIMITS.most} bytes`);
  const listed = readScopeList(bytes.toString('utf8'));
  if (!listed.every(isUuid)) return found('fail', 'is not a list of account ids, one on each line');
  const missing = accounts.find((id) => !listed.includes(id));
  if (missing !== undefined) return found('fail', `does not list the account ${missing}`);
  const extra = listed.find((id) => !accounts.includes(id));
  if (extra !== undefined)
    return found('fail', `lists the account ${extra}, which the scope does not declare`);
  return found('pass', 'lists the same accounts');
}
