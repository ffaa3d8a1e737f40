import { command, type InputOf, otherwise, read } from '../command.ts';
import { type Context, makeProgress, present, type Shown } from '../context.ts';
import { existsSync } from 'node:fs';
import { isUuid } from '@svc/protocol';
import { scoreAccount, scoreChallenge, scoreScope } from '@svc/protocol/conventions';
import { createClient, type ServiceFacts } from '@svc/sdk';
import { factsAtFirst } from '../ask-service.ts';
import { chooseAuditTrust, resultOf } from '../audit/job.ts';
import { findScope, type JudgedScope, judgeScope } from '../audit/audit-scope.ts';
import { AUDIT_RETRY } from '../audit/fetch-trees.ts';
import { EXIT, inputError, usageError } from '../exit.ts';
import { challengeOfUrl, findChallengeId, usernameOf } from '../find-named.ts';
import { TRUST } from '../find-trust.ts';
import { count, SERVICE } from '../options.ts';
import { readArchive } from '../score/archive-source.ts';
import {
  readAudited,
  serviceSource,
  targetOfAccount,
  targetOfAccounts,
  targetOfChallenge,
} from '../score/audited-data.ts';
import type { AuditedData, ScoreSource } from '../score/audited-data.ts';
import {
  accountWords,
  auditWarning,
  auditWords,
  challengeWords,
  scopeWords,
  scoredAuditJson,
} from '../score/print-score.ts';
import { openSession } from '../session.ts';
import { resultUnder, worstResult } from '../verdict-words.ts';
import { checkedEtch } from '../verify/verify-command.ts';

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
    run(options, context) {
      const { target, scope } = options;
      if ((target === undefined) === (scope === undefined))
        throw usageError('name an account, a challenge or an archive, or use --scope');
      return target === undefined ? scoreDeclared(scope!, options, context) : score(target, options, context);
    },
  },
);

interface Opened {
  source: ScoreSource;
  facts: ServiceFacts | null;
  until?: string;
  wanted: string;
}

async function open(target: string, options: ScoreOptions, context: Context): Promise<Opened> {
  const { of } = options;
  if (!existsSync(target)) {
    if (of !== undefined) throw inputError(`the archive ${target} does not exist`);
    const { origin } = openSession(options, context.env).client;
    const facts = await factsAtFirst(origin);
    const client = createClient({ baseUrl: origin, retry: AUDIT_RETRY, checkAnswers: false });
    return { source: serviceSource(client), facts, wanted: target };
  }
  const archive = await readArchive(target);
  if (of === undefined) {
    const some = archive.accounts.slice(0, 5).map(({ username }) => username);
    throw usageError(`name an account or the id of a challenge in the archive: ${some.join(', ')}, …`);
  }
  const facts = {
    trust: archive.trust,
    rpcUrl: null,
    promiseKeys: [],
    logKeys: [],
    identity: null,
  } as unknown as ServiceFacts;
  return { source: archive.source, facts, until: archive.madeAt, wanted: of };
}

async function score(target: string, options: ScoreOptions, context: Context): Promise<Shown> {
  const { source, facts, until, wanted } = await open(target, options, context);
  const id = await challengeIdOf(wanted, source.origin, options.of !== undefined);
  const found =
    id === null
      ? await targetOfAccount(source, usernameOf(wanted, source.origin))
      : await targetOfChallenge(source, id);
  const { data, audit } = await readAudited(source, found, {
    ...readingOf(options, { source, facts }, context),
    ...present({ until }),
  });
  const result = id === null ? scoreAccount(found.accounts[0]!, data) : scoreChallenge(id, data)!;
  const words = 'account' in result ? accountWords(result) : challengeWords(result);
  return {
    value: { audit: scoredAuditJson(source.origin, audit), score: result },
    words: linesOf(source.origin, audit, words),
    status: EXIT[audit.result],
  };
}

async function scoreDeclared(target: string, options: ScoreOptions, context: Context): Promise<Shown> {
  const { source, facts } = await open('', options, context);
  const etch = await checkedEtch(target, options, context);
  const declared = await findScope({ client: source }, etch);
  const { data, audit } = await readAudited(source, await targetOfAccounts(source, declared.accounts), {
    ...readingOf(options, { source, facts }, context),
    watch: (one) => declared.scopes.add(one),
  });
  const ids = new Set(declared.accounts.map(({ user_id }) => user_id));
  const { findings, trust } = audit;
  // Records of creators of challenges do not break the scope.
  const own =
    findings === null || trust === null
      ? 'wait'
      : resultUnder(
          trust.condition,
          resultOf({ ...findings, accounts: findings.accounts.filter(({ user_id }) => ids.has(user_id)) }),
        );
  const scope = await judgeScope(declared, worstResult([etch.result, own]), {
    trust: trust?.chosen.trust ?? null,
    service: source.origin,
  });
  const result = scoreScope(declared.accounts, data);
  return {
    value: { audit: scoredAuditJson(source.origin, audit), scope, score: result },
    words: linesOf(source.origin, audit, scopeWords(result), scope),
    status: EXIT[worstResult([audit.result, scope.result])],
  };
}

const readingOf = (
  options: ScoreOptions,
  { source, facts }: Pick<Opened, 'source' | 'facts'>,
  context: Context,
) => ({
  openTrust: async () => chooseAuditTrust(options, source.origin, facts, context),
  progress: makeProgress(context),
  parallel: options.parallel,
});

function linesOf(
  origin: string,
  audit: AuditedData['audit'],
  words: string[],
  scope?: JudgedScope,
): string[] {
  const warning = auditWarning(audit);
  return [
    ...(warning === null ? [] : [warning, '']),
    ...words,
    '',
    ...auditWords(origin, audit),
    ...(scope === undefined
      ? []
      : [...(scope.domain === null ? [] : [`INFO  ${scope.domain}`]), scope.verdict]),
  ];
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
