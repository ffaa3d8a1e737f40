import { parseQuestion } from '@svc/protocol/conventions';
import type { PublicChallenge, PublicData, PublicEtch } from '@svc/protocol/conventions';
import type { Client, Etch } from '@svc/sdk';
import { boundParts, ChainUnreadable } from '@svc/verifier';
import type { AttestedTrees, LogReader } from '@svc/verifier';
import { takeUpTo } from '../service-requests.ts';
import { type Account, auditAccounts } from '../audit/audit-accounts.ts';
import {
  type AuditJob,
  type AuditSource,
  type AuditTrust,
  emptyChainSide,
  resultOf,
  sha256,
} from '../audit/job.ts';
import type { AuditReport } from '../audit/print-audit.ts';
import { CommandError } from '../exit.ts';
import { type Result, resultUnder } from '../verdict-words.ts';

export interface AuditedData {
  data: PublicData;
  result: Result;
  /** null: the records were not audited */
  report: AuditReport | null;
  /** why not */
  reason: string | null;
}

/** A service, or its archive. */
export type ScoreSource = AuditSource & Pick<Client, 'getChallenge' | 'challengeEtches'>;

export interface ScoreTarget {
  accounts: Account[];
  challenges: PublicChallenge[];
}

export async function targetOfAccounts(
  source: ScoreSource,
  scored: readonly Account[],
): Promise<ScoreTarget> {
  const ids = new Set<string>();
  for (const { username } of scored)
    for await (const etch of source.record(username, { limit: 100 }))
      if (etch.challenge !== null) ids.add(etch.challenge.id);
  const found = await Promise.all([...ids].map((id) => challengeIn(source, id)));
  const asking = found.filter(({ challenge }) => parseQuestion(challenge.question).asks !== 'text');
  return {
    accounts: distinct([...scored, ...asking.map(({ creator }) => creator)]),
    challenges: asking.map(({ challenge }) => challenge),
  };
}

export async function targetOfChallenge(source: ScoreSource, id: string): Promise<ScoreTarget> {
  const { challenge, creator } = await challengeIn(source, id);
  const accounts = [creator];
  for await (const { author } of source.challengeEtches(id, { limit: 100 }))
    accounts.push({ username: author.username, user_id: author.user_id });
  return { accounts: distinct(accounts), challenges: [challenge] };
}

async function challengeIn(
  source: ScoreSource,
  id: string,
): Promise<{ challenge: PublicChallenge; creator: Account }> {
  const { challenge } = await source.getChallenge(id);
  const { question, creator_id, reveal_at, creator } = challenge;
  return {
    challenge: { id: challenge.id, question, creator_id, reveal_at },
    creator: { username: creator.username, user_id: creator_id },
  };
}

const distinct = (accounts: Account[]): Account[] => [
  ...new Map(accounts.map((account) => [account.user_id, account])).values(),
];

interface Reading extends Pick<AuditJob, 'progress' | 'parallel' | 'watch'> {
  openTrust: () => Promise<AuditTrust>;
  until?: string;
}

/**
 * Scores the data that was audited.
 * @param until ignores trees attested later: an archive shows one moment
 */
export async function readAudited(
  source: ScoreSource,
  { accounts, challenges }: ScoreTarget,
  { openTrust, until, ...how }: Reading,
): Promise<AuditedData> {
  const records = new Map<string, Etch[]>();
  const dataOf = (trees: AttestedTrees | null): PublicData => ({
    etches: [...records.values()].flat().map((etch) => toChecked(etch, trees)),
    challenges,
  });
  try {
    const trust = await openTrust();
    const { reader } = trust;
    const job = {
      client: source,
      trust: trust.trust,
      records,
      reader: until === undefined ? reader : readUntil(reader, Date.parse(until) / 1000),
      ...how,
    };
    const side = emptyChainSide(await reader.firstBlock(await reader.head()));
    const findings = await auditAccounts(job, accounts, side);
    const result = resultUnder(trust.condition, resultOf(findings));
    const report = { ...trust, service: source.origin, findings };
    return { data: dataOf(findings.side.trees), result, report, reason: null };
  } catch (error) {
    if (!(error instanceof ChainUnreadable) && !(error instanceof CommandError)) throw error;
    for (const { username } of accounts)
      records.set(username, await takeUpTo(source.record(username, { limit: 100 }), Infinity));
    return { data: dataOf(null), result: 'wait', report: null, reason: error.message };
  } finally {
    how.progress.clear();
  }
}

/** The chain when the archive was made. */
const readUntil = (reader: LogReader, seconds: number): LogReader => ({
  ...reader,
  attestations: async (logs) => (await reader.attestations(logs)).filter(({ time }) => time <= seconds),
});

/**
 * A field that the hash does not bind is null.
 * @param trees null: attestation times come from the service
 */
function toChecked(etch: Etch, trees: AttestedTrees | null): PublicEtch {
  const { id, status, mode, description, author, challenge, chain } = etch;
  const parts = status === 'revealed' ? boundParts(etch, sha256) : null;
  return {
    id,
    status,
    ...(status === 'retracted' && { retracted_by: etch.retracted_by }),
    mode,
    description,
    content: parts?.content ?? null,
    created_at: parts?.createdAt ?? null,
    author,
    challenge,
    chain: { anchored_at: trees === null ? chain.anchored_at : timeOf(etch, trees) },
  };
}

function timeOf({ hash, chain: { root, attestation_uid: uid } }: Etch, trees: AttestedTrees): string | null {
  const tree = trees.withRoot(0, root ?? hash).find(({ uids }) => uid !== null && uids.includes(uid));
  return tree === undefined ? null : new Date(tree.time * 1000).toISOString();
}
