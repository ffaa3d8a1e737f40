import { command, type InputOf, otherwise, read } from '../command.ts';
import { type Context, makeProgress, present, type Shown } from '../context.ts';
import { existsSync } from 'node:fs';
import { isUuid } from '@svc/protocol';
import { type PublicData, scoreAccount, scoreChallenge, scoreScope } from '@svc/protocol/conventions';
import { requireServiceAt } from '../service-requests.ts';
import { findAccount } from '../audit/audit-accounts.ts';
import { auditClient, chooseAuditTrust, resultOf } from '../audit/job.ts';
import { findScope, type FoundScope, type JudgedScope, judgeScope } from '../audit/audit-scope.ts';
import { auditJson, auditLines, scopeLines } from '../audit/print-audit.ts';
import { EXIT, inputError, usageError } from '../exit.ts';
import { challengeOfUrl, findChallengeId, usernameOf } from '../find-named.ts';
import { type Published, TRUST } from '../find-trust.ts';
import { count, SERVICE } from '../options.ts';
import { readArchive } from '../score/archive-source.ts';
import { readAudited, targetOfAccounts, targetOfChallenge } from '../score/audited-data.ts';
import type { AuditedData, ScoreSource, ScoreTarget } from '../score/audited-data.ts';
import { accountWords, auditWarning, challengeWords, scopeWords } from '../score/print-score.ts';
import { openSession } from '../session.ts';
import { type Result, resultUnder, worstResult } from '../verdict-words.ts';
import type { RecordedEtch } from '@svc/verifier';
import { checkedEtch } from '../verify/checked-etch.ts';

const INPUT = {
  ...SERVICE,
  ...TRUST,
  '[target]': 'a username, the id of a challenge, the url of either, or an archive by svc-admin export',
  '[of]': 'for an archive: a username or the id of a challenge',
  '--scope <etch>':
    'the accounts that this etch declares (svc-scope:v1), together: receipt file, id, code or url',
  '--parallel <number>': otherwise(4, read(count, 'concurrent requests to the service')),
};
type ScoreOptions = InputOf<typeof INPUT>;

export const scoreCommand = command(
  'score',
  'audit public data, then compute a track record or the standings of a challenge',
  {
    input: INPUT,
    examples: [
      'svc score ada',
      'svc score https://svc.example.org/ch/<id>',
      'svc score --scope abc234      # every account that the author declared, together',
      'svc score export.tar.gz ada --rpc https://rpc.example.org --json',
    ],
    below: `
Exit status:
  ${EXIT.pass}   the scored records are complete, under trust that you supplied: flags, --trust or a pin (svc trust)
  ${EXIT.fail}   the records have missing or changed etches; the score covers the rest
  ${EXIT.wait}   completeness is not proven; the score is printed anyway`,
    run: score,
  },
);

interface Opened {
  source: ScoreSource;
  facts: Published | null;
  until?: string;
  wanted: string;
}

async function open(target: string, options: ScoreOptions, context: Context): Promise<Opened> {
  const { of } = options;
  if (!existsSync(target)) {
    if (of !== undefined) throw inputError(`the archive ${target} does not exist`);
    const { origin } = openSession(options, context.env).client;
    const facts = await requireServiceAt(origin);
    return { source: auditClient(origin), facts, wanted: target };
  }
  const archive = await readArchive(target);
  if (of === undefined) {
    const some = archive.accounts.slice(0, 5).map(({ username }) => username);
    throw usageError(`name an account or the id of a challenge in the archive: ${some.join(', ')}, …`);
  }
  return { source: archive.source, facts: archive.facts, until: archive.madeAt, wanted: of };
}

async function score(options: ScoreOptions, context: Context): Promise<Shown> {
  if ((options.target === undefined) === (options.scope === undefined))
    throw usageError('name an account, a challenge or an archive, or use --scope');
  const { source, facts, until, wanted } = await open(options.target ?? '', options, context);
  const { origin } = source;
  const etch = options.scope === undefined ? null : await checkedEtch(options.scope, options, context);
  const declared = etch && (await findScope({ client: source }, etch));
  const asked = await ask(source, declared, wanted, options.of !== undefined);
  const audited = await readAudited(source, asked.target, {
    openTrust: async () => chooseAuditTrust(options, origin, facts, context),
    progress: makeProgress(context),
    parallel: options.parallel,
    ...present({ until, watch: declared && ((one: RecordedEtch) => declared.scopes.add(one)) }),
  });
  const scope = declared && (await judgeDeclared(declared, etch.result, audited, origin));
  const { result, report, reason } = audited;
  const scored = asked.score(audited.data);
  const warning = auditWarning(audited);
  const audit = report === null ? { result, reason } : auditJson(report);
  return {
    value: { audit, ...present({ scope }), score: scored.result },
    words: [
      ...(warning === null ? [] : [warning, '']),
      ...scored.words,
      '',
      ...(report === null ? [] : auditLines(report)),
      ...scopeLines(scope),
    ],
    status: EXIT[worstResult([result, scope?.result ?? 'pass'])],
  };
}

interface Asked {
  target: ScoreTarget;
  score(data: PublicData): { result: object; words: string[] };
}

const worded = <Score extends object>(result: Score, words: (result: Score) => string[]) => ({
  result,
  words: words(result),
});

async function ask(
  source: ScoreSource,
  declared: FoundScope | null,
  wanted: string,
  isArchive: boolean,
): Promise<Asked> {
  const id = declared === null ? await challengeIdOf(wanted, source.origin, isArchive) : null;
  if (id !== null) {
    const target = await targetOfChallenge(source, id);
    return { target, score: (data) => worded(scoreChallenge(id, data)!, challengeWords) };
  }
  const accounts = declared?.accounts ?? [
    await findAccount({ client: source }, usernameOf(wanted, source.origin)),
  ];
  const target = await targetOfAccounts(source, accounts);
  return {
    target,
    score: (data) =>
      declared === null
        ? worded(scoreAccount(accounts[0]!, data), accountWords)
        : worded(scoreScope(accounts, data), scopeWords),
  };
}

/** Records of creators of challenges do not break the scope. */
function judgeDeclared(
  declared: FoundScope,
  checked: Result,
  { report }: AuditedData,
  service: string,
): Promise<JudgedScope> {
  const ids = new Set(declared.accounts.map(({ user_id }) => user_id));
  const accounts = report?.findings.accounts.filter(({ user_id }) => ids.has(user_id)) ?? [];
  const own =
    report === null ? 'wait' : resultUnder(report.condition, resultOf({ ...report.findings, accounts }));
  const under = { trust: report?.chosen.trust ?? null, service };
  return judgeScope(declared, worstResult([checked, own]), under);
}

/** Null for a username; a code without a URL is one. */
async function challengeIdOf(wanted: string, origin: string, isArchive: boolean): Promise<string | null> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  const url = challengeOfUrl(wanted);
  if (url === undefined) return null;
  if (isUuid(url)) return url.toLowerCase();
  if (isArchive) throw usageError('an archive has no codes of challenges: give the id of the challenge');
  return findChallengeId(wanted, origin);
}
