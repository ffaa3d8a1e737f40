import { answer, type Context, say, serviceCommand, type ServiceOptions } from '../context.ts';
import { Command } from 'commander';
import type { TopicId } from '@svc/sdk';
import { formatLevels, parseQuestion, parseSettleRule } from '@svc/protocol/conventions';
import { composeWords, refuseMisfit, warnOfScripts, withForecast, type WordsOptions } from '../compose.ts';
import { absoluteTime, futureTime, topicOption } from '../options.ts';
import { etchLine } from '../etch-words.ts';
import { asRefusal, EXIT } from '../exit.ts';
import { findChallengeId } from '../find-named.ts';
import { showPage } from '../open-page.ts';
import { adviseRetry } from '../report-error.ts';
import { openSession } from '../session.ts';
import { readText } from '../input-file.ts';
import { make, type TextOptions, withText } from '../make-etch.ts';

type EnterOptions = TextOptions & WordsOptions;

export function challengeCommand(context: Context): Command {
  const challenge = new Command('challenge').description(
    'ask and answer questions whose answers stay sealed until a common time',
  );
  challenge.addCommand(
    serviceCommand('create', 'ask a question; all answers open when it closes', [
      'svc challenge create "How many ships pass the lock this week?" --closes 7d --topic science',
    ])
      .argument('<question>', 'at most 280 characters')
      .requiredOption(
        '--closes <time>',
        'a time with its offset, or a duration from now (90m, 12h, 3d)',
        futureTime,
      )
      .addOption(topicOption())
      .option('--idempotency-key <key>', 'a retry with the same key and question makes no second challenge')
      .action(
        async (
          question: string,
          options: ServiceOptions & Record<'closes' | 'topic', string> & { idempotencyKey?: string },
        ) => {
          const { client } = openSession(options, context.env);
          const asked = parseQuestion(question);
          asRefusal(() => parseSettleRule(question), EXIT.usage);
          if (asked.asks === 'text' && asked.reason !== null)
            say(context, `Answers will be plain texts, which svc score cannot score: ${asked.reason}.`);
          if (asked.asks === 'outcomes') warnOfScripts(asked.outcomes, context);
          if (asked.asks === 'number')
            say(
              context,
              `Each answer must give the quantiles ${formatLevels(asked.levels)}, in ${asked.unit}.`,
            );
          const closes = await absoluteTime(options.closes, client);
          const made = await client
            .createChallenge(
              { question, category_id: options.topic as TopicId, reveal_at: closes },
              { idempotencyKey: options.idempotencyKey },
            )
            .catch((error: unknown) => {
              adviseRetry(error, ['--closes', closes]);
              throw error;
            });
          const { id, url, reveal_at } = made.challenge;
          answer(context, options, made, [`id      ${id}`, `url     ${url}`, `closes  ${reveal_at}`]);
        },
      ),
  );
  challenge.addCommand(
    withForecast(
      withText(
        serviceCommand('enter', 'answer a challenge once; the answer is sealed until it closes', [
          'svc challenge enter <id> "41"',
          'svc challenge enter <id> --forecast red=0.5 --forecast blue=0.5',
        ]),
      ),
    )
      .argument('<challenge>', 'its id, its code or its url')
      .argument('[text]', 'the answer; - or no argument reads standard input')
      .action(async (target: string, text: string | undefined, options: EnterOptions) => {
        const { client } = openSession(options, context.env);
        const id = await findChallengeId(target, client.origin);
        const isGiven = text !== undefined || options.file !== undefined || options.forecast.length === 0;
        const content = composeWords(isGiven ? await readText(text, options, context) : '', options);
        const { question, category, reveal_at } = (await client.getChallenge(id)).challenge;
        refuseMisfit(content, question, options);
        await make(
          { content, category_id: category.id, mode: 'delayed', challenge_id: id },
          options,
          context,
          { challenge: { question, topic: category.id, reveal_at } },
        );
      }),
  );
  challenge.addCommand(
    serviceCommand('show', 'show a challenge and its answers', ['svc challenge show <id>'])
      .argument('<challenge>', 'its id, its code or its url')
      .option('--web', 'open its page in a browser', false)
      .action(async (target: string, options: ServiceOptions & { web: boolean }) => {
        const { client } = openSession(options, context.env);
        const id = await findChallengeId(target, client.origin);
        if (options.web) return showPage(new URL(`/ch/${id}`, client.origin), options, context);
        const found = await client.getChallenge(id);
        const etches = [];
        for await (const etch of client.challengeEtches(id, { limit: 100 })) etches.push(etch);
        const { question, closed, reveal_at, creator } = found.challenge;
        answer(context, options, { challenge: found.challenge, counts: found.counts, etches }, [
          `${closed ? 'CLOSED' : 'OPEN'}  ${question}`,
          `asked by  ${creator.username}`,
          `closes    ${reveal_at}`,
          `answers   ${found.counts.etches}`,
          '',
          ...etches.map((etch) => `${etchLine(etch)}${etch.content === null ? '' : ` | ${etch.content}`}`),
        ]);
      }),
  );
  return challenge;
}
