import { existsSync } from 'node:fs';
import { isUuid } from '@svc/protocol';
import { scoreAccount, scoreChallenge } from '@svc/protocol/conventions';
import { createClient } from '@svc/sdk';
import type { ServiceFacts } from '@svc/sdk';
import type { Command } from 'commander';
import { factsAtFirst } from '../ask-service.ts';
import { chooseAuditTrust } from '../audit/audit-trust.ts';
import { AUDIT_RETRY } from '../audit/audit-source.ts';
import { makeProgress } from '../progress.ts';
import { lines, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import { usernameOf } from '../find-account.ts';
import { challengeOfUrl, findChallengeId } from '../find-challenge.ts';
import { withTrust } from '../find-trust.ts';
import type { TrustOptions } from '../find-trust.ts';
import { inertJson } from '../inert.ts';
import { count } from '../options.ts';
import { readArchive } from '../score/archive-source.ts';
import { readAudited, targetOfAccount, targetOfChallenge } from '../score/audited-data.ts';
import { accountWords, auditJson, auditWarning, auditWords, challengeWords } from '../score/print-score.ts';
import { serviceSource } from '../score/score-source.ts';
import type { ScoreSource } from '../score/score-source.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';

interface ScoreOptions extends ServiceOptions, TrustOptions {
  parallel: number;
}

const STATUSES = `
Exit status:
  ${EXIT.pass}   the scored records are complete, under trust that you supplied: flags, --trust or a pin (svc trust)
  ${EXIT.fail}   the records have missing or changed etches; the score covers the rest
  ${EXIT.wait}   completeness is not proven; the score is printed anyway`;

export function scoreCommand(context: Context): Command {
  return withTrust(
    serviceCommand(
      'score',
      'audit public data, then compute a track record or the standings of a challenge',
      [
        'svc score ada',
        'svc score https://svc.example.org/ch/<id>',
        'svc score export.tar.gz ada --rpc https://rpc.example.org --json',
      ],
    ),
  )
    .argument(
      '<target>',
      'a username, the id of a challenge, the url of either, or an archive by svc-admin export',
    )
    .argument('[of]', 'for an archive: a username or the id of a challenge')
    .option('--parallel <number>', 'concurrent requests to the service', count, 4)
    .addHelpText('after', STATUSES)
    .action((target: string, of: string | undefined, options: ScoreOptions) =>
      score(target, of, options, context),
    );
}

interface Opened {
  source: ScoreSource;
  facts: ServiceFacts | null;
  until?: string;
  wanted: string;
}

async function open(
  target: string,
  of: string | undefined,
  options: ScoreOptions,
  context: Context,
): Promise<Opened> {
  if (!existsSync(target)) {
    if (of !== undefined) throw new CommandError(EXIT.input, `the archive ${target} does not exist`);
    const { origin } = openSession(options, context.env).client;
    const facts = await factsAtFirst(origin);
    const client = createClient({ baseUrl: origin, retry: AUDIT_RETRY, checkAnswers: false });
    return { source: serviceSource(client), facts, wanted: target };
  }
  const archive = await readArchive(target);
  if (of === undefined) {
    const some = archive.accounts.slice(0, 5).map(({ username }) => username);
    throw new CommandError(
      EXIT.usage,
      `name an account or the id of a challenge in the archive: ${some.join(', ')}, …`,
    );
  }
  const facts = {
    trust: archive.trust,
    rpcUrl: null,
    promiseKeys: [],
    identity: null,
  } as unknown as ServiceFacts;
  return { source: archive.source, facts, until: archive.madeAt, wanted: of };
}

async function score(
  target: string,
  of: string | undefined,
  options: ScoreOptions,
  context: Context,
): Promise<void> {
  const { source, facts, until, wanted } = await open(target, of, options, context);
  const id = await challengeIdOf(wanted, source.origin, of !== undefined);
  const found =
    id === null
      ? await targetOfAccount(source, usernameOf(wanted, source.origin))
      : await targetOfChallenge(source, id);
  const { data, audit } = await readAudited(source, found, {
    openTrust: async () => chooseAuditTrust(options, source.origin, facts, context),
    progress: makeProgress(context.note, context.terminal ?? false),
    parallel: options.parallel,
    ...(until === undefined ? {} : { until }),
  });
  const result = id === null ? scoreAccount(found.accounts[0]!, data) : scoreChallenge(id, data)!;
  if (options.json) context.out(`${inertJson({ audit: auditJson(source.origin, audit), score: result })}\n`);
  else {
    const warning = auditWarning(audit);
    context.out(
      lines(
        ...(warning === null ? [] : [warning, '']),
        ...('account' in result ? accountWords(result) : challengeWords(result)),
        '',
        ...auditWords(source.origin, audit),
      ),
    );
  }
  context.finish(EXIT[audit.result]);
}

/** Null for a username; a code without a URL is one. */
async function challengeIdOf(wanted: string, origin: string, isArchive: boolean): Promise<string | null> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  const url = challengeOfUrl(wanted);
  if (url === undefined) return null;
  if (isUuid(url.name)) return url.name.toLowerCase();
  if (isArchive)
    throw new CommandError(EXIT.usage, 'an archive has no codes of challenges: give the id of the challenge');
  return findChallengeId(wanted, origin);
}
