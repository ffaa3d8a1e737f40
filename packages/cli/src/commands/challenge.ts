import { command, flag, group, many, needed } from '../command.ts';
import { say } from '../context.ts';
import { formatLevels, outcomeBrackets, parseQuestion, settleRuleFault } from '@svc/protocol/conventions';
import { composeWords, FORECAST, refuseMisfit, warnOfScripts } from '../compose.ts';
import { futureTime, SERVICE, TOPIC } from '../options.ts';
import { etchLine } from '../etch-words.ts';
import { asRefusal, EXIT, usageError } from '../exit.ts';
import { atFixedTime } from '../fixed-time.ts';
import { findChallengeId } from '../find-named.ts';
import { showPage } from '../open-page.ts';
import { adviseRetry } from '../report-error.ts';
import { clientOf } from '../session.ts';
import { readText } from '../input-file.ts';
import { makeEtch, TEXT_OPTIONS } from '../make-etch.ts';

const CHALLENGE = { '<challenge>': 'its id, its code or its url' };

const create = command('create', 'ask a question; all answers open when it closes', {
  input: {
    ...SERVICE,
    '<question>': 'at most 280 characters, with the outcomes',
    '--outcome <name>': many(
      'a possible outcome, such as "New York"; repeat it for each. The question then ends with them',
    ),
    '--closes <time>': needed(futureTime, 'a time with its offset, or a duration from now (90m, 12h, 3d)'),
    ...TOPIC,
    '--idempotency-key <key>': 'a retry with the same key and question makes no second challenge',
  },
  examples: [
    'svc challenge create "How many ships pass the lock this week?" --closes 7d --topic science',
    'svc challenge create "Which city wins the bid?" --outcome "New York" --outcome Paris --closes 7d',
  ],
  async run({ question: asked, outcome: names, ...options }, context) {
    const client = clientOf(options, context);
    const question =
      names.length === 0
        ? asked
        : `${asked.trimEnd()} ${asRefusal(() => outcomeBrackets(names), EXIT.usage)}`;
    const format = parseQuestion(question);
    const fault = settleRuleFault(question);
    if (fault !== null) throw usageError(`${fault}. Nothing was created`);
    if (format.asks === 'text' && format.reason !== null)
      say(context, `Answers will be plain texts, which svc score cannot score: ${format.reason}.`);
    if (format.asks === 'outcomes') warnOfScripts(format.outcomes, context);
    if (format.asks === 'number')
      say(context, `Each answer must give the quantiles ${formatLevels(format.levels)}, in ${format.unit}.`);
    const { closes, topic, idempotencyKey } = options;
    const value = await atFixedTime(closes, { idempotencyKey, client }, context, (reveal_at, key) =>
      client
        .createChallenge({ question, category_id: topic, reveal_at }, { idempotencyKey: key })
        .catch((error: unknown) => {
          adviseRetry(error, ['--closes', reveal_at]);
          throw error;
        }),
    );
    const { id, url, reveal_at } = value.challenge;
    return { value, words: [`id      ${id}`, `url     ${url}`, `closes  ${reveal_at}`] };
  },
});

const enter = command('enter', 'answer a challenge once; the answer is sealed until it closes', {
  input: {
    ...SERVICE,
    ...TEXT_OPTIONS,
    ...FORECAST,
    ...CHALLENGE,
    '[text]': 'the answer; - or no argument reads standard input',
  },
  examples: [
    'svc challenge enter <id> "41"',
    'svc challenge enter <id> --forecast red=0.5 --forecast blue=0.5',
  ],
  async run({ challenge, text, ...options }, context) {
    const client = clientOf(options, context);
    const id = await findChallengeId(challenge, client.origin);
    const isGiven = text !== undefined || options.file !== undefined || options.forecast.length === 0;
    const content = composeWords(isGiven ? await readText(text, options, context) : '', options);
    const { question, category, reveal_at } = (await client.getChallenge(id)).challenge;
    refuseMisfit(content, question, options);
    await makeEtch(
      { content, category_id: category.id, mode: 'delayed', challenge_id: id },
      options,
      context,
      {
        challenge: { question, topic: category.id, reveal_at },
      },
    );
  },
});

const show = command('show', 'show a challenge and its answers', {
  input: { ...SERVICE, ...CHALLENGE, '--web': flag('open its page in a browser') },
  examples: ['svc challenge show <id>'],
  async run({ challenge: target, web, ...options }, context) {
    const client = clientOf(options, context);
    const id = await findChallengeId(target, client.origin);
    if (web) return showPage(new URL(`/ch/${id}`, client.origin), options, context);
    const { challenge, counts } = await client.getChallenge(id);
    const etches = [];
    for await (const etch of client.challengeEtches(id, { limit: 100 })) etches.push(etch);
    const words = [
      `${challenge.closed ? 'CLOSED' : 'OPEN'}  ${challenge.question}`,
      `asked by  ${challenge.creator.username}`,
      `closes    ${challenge.reveal_at}`,
      `answers   ${counts.etches}`,
      '',
      ...etches.map((etch) => `${etchLine(etch)}${etch.content === null ? '' : ` | ${etch.content}`}`),
    ];
    return { value: { challenge, counts, etches }, words };
  },
});

export const challengeCommand = group(
  'challenge',
  'ask and answer questions whose answers stay sealed until a common time',
  [create, enter, show],
);
