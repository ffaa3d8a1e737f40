import { type Context, say, serviceCommand } from '../context.ts';
import { type TemplateName, TEMPLATES } from '@svc/protocol/conventions';
import { type Command, Option } from 'commander';
import type { TopicId } from '@svc/sdk';
import { absoluteTime, futureTime, isFromNow, topicOption } from '../options.ts';
import { usageError } from '../exit.ts';
import { describe, make, tell, type TextOptions, withText } from '../make-etch.ts';
import { openSession } from '../session.ts';
import { readText } from '../input-file.ts';
import { commitFiles, type FilesOptions, hasFiles, withFiles } from '../files/commit-files.ts';
import { refuseScope } from '../audit/audit-scope.ts';
import { composeWords, resolutionOf, warnOfForecast, withForecast, withResolution } from '../compose.ts';
import type { ResolveOptions, WordsOptions } from '../compose.ts';
import { etchBlindOnce, horizonWarning, newIdempotencyKey } from '../kept-blind.ts';
import { namedChain } from '../open-blind.ts';
import { refuseUnwritable } from '../out-file.ts';
import { adviseRetry } from '../report-error.ts';

interface EtchOptions extends TextOptions, FilesOptions, WordsOptions, ResolveOptions {
  sealedUntil?: string;
  description?: string;
  topic: string;
  template?: TemplateName;
  blind: boolean;
  chain?: string;
}

export function etchCommand(context: Context): Command {
  const command = withText(
    serviceCommand('etch', 'commit to a text: hashed, timestamped and anchored; nobody can edit it later', [
      'svc etch "The bridge opens before the end of May." --description "When the bridge opens"',
      'svc etch --file prediction.txt --blind --sealed-until 30d --description "The bridge"  # the service cannot read it',
      'svc etch --file prediction.txt --sealed-until 30d --description "About the bridge"',
      'date | svc etch --description "The clock of this machine" --topic science --wait',
      'svc etch --files plans/ --description "Plans for the weir" --wait       # hashed on this machine, not sent',
      'svc etch "The wind turns." --forecast yes=0.72 --description "Rain on Sunday?"',
      'svc etch --resolve <challenge> --outcome yes --source https://gauge.example.org',
      'svc etch --template preregistration > plan.md',
    ]),
  )
    .argument('[text]', 'the text, at most 2000 characters; - or no argument reads standard input')
    .option(
      '--sealed-until <time>',
      'hide the text until this time: a time with its offset, or a duration from now (90m, 12h, 3d)',
      futureTime,
    )
    .option(
      '--blind',
      'with --sealed-until: encrypt the text (at most 1000 bytes) on this machine to the drand network; the service never receives it',
      false,
    )
    .option(
      '--chain <file>',
      'with --blind: use a drand chain other than quicknet; the file has what its relay answers at /<hash>/info',
    )
    .option(
      '--description <text>',
      'public at once and permanently, even after a retraction; at most 140 characters (a terminal asks for it)',
    )
    .addOption(topicOption())
    .addOption(
      new Option('--template <name>', 'print a template to fill in, and etch nothing').choices(
        Object.keys(TEMPLATES),
      ),
    );
  return withResolution(withFiles(withForecast(command))).action(
    async (text: string | undefined, options: EtchOptions) => {
      if (options.template !== undefined) {
        context.out(TEMPLATES[options.template]);
        return say(context, `Fill it in, then run: ${TEMPLATE_COMMANDS[options.template]}`);
      }
      refuseTogether(options);
      // With these options the text is a note below the words.
      if (options.blind) return etchBlind(text, options, context);
      const isNote = hasFiles(options) || options.forecast.length > 0 || options.resolve !== undefined;
      const isGiven = text !== undefined || options.file !== undefined;
      const given = isNote && !isGiven ? '' : await readText(text, options, context);
      const resolved = await resolutionOf(options, given, context);
      const readsText =
        !(isNote && !isGiven) &&
        (options.file === '-' || (options.file === undefined && (text ?? '-') === '-'));
      const description =
        resolved?.description ?? (await describe(options.description, given, readsText, context));
      const committed = hasFiles(options) ? await commitFiles(options, given, context) : undefined;
      const content = resolved?.content ?? committed?.words ?? composeWords(given, options);
      warnOfForecast(content, context);
      await refuseScope(content, options, context);
      const until =
        options.sealedUntil === undefined
          ? undefined
          : await absoluteTime(options.sealedUntil, openSession(options, context.env).client);
      const manifest = committed?.summary.manifest ?? null;
      await make(
        {
          content,
          description,
          category_id: resolved?.category_id ?? (options.topic as TopicId),
          ...(until === undefined
            ? { mode: 'instant' as const }
            : { mode: 'delayed' as const, reveal_at: until }),
        },
        options,
        context,
        {
          more: committed && { files: committed.summary },
          retry: [
            ...(until === undefined ? [] : ['--sealed-until', until]),
            ...(manifest === null ? [] : ['--manifest', manifest]),
            ...(options.description === undefined && resolved === undefined
              ? ['--description', description]
              : []),
          ],
        },
      );
    },
  );
}

function refuseTogether(options: EtchOptions): void {
  const { files, sums, forecast, resolve, sealedUntil, short, manifest, blind, chain } = options;
  const asked = [hasFiles(options), forecast.length > 0, resolve !== undefined].filter(Boolean);
  if (blind && asked.length > 0)
    throw usageError('--blind seals a text only: omit --files, --sums, --forecast and --resolve');
  if (blind && sealedUntil === undefined)
    throw usageError('--blind requires --sealed-until, the time from which anyone can open it');
  if (chain !== undefined && !blind) throw usageError('--chain requires --blind');
  if (asked.length > 1)
    throw usageError('give only one of --files or --sums, --forecast and --resolve: each makes its own etch');
  if (resolve !== undefined && sealedUntil !== undefined)
    throw usageError('a resolution is public at once: omit --sealed-until');
  if (files.length > 0 && sums !== undefined)
    throw usageError('give --files or --sums: a list of sha256sum names its files');
  if (!hasFiles(options) && (short || manifest !== undefined))
    throw usageError('--short and --manifest require --files or --sums');
}

const TEMPLATE_COMMANDS: Record<TemplateName, string> = {
  forecast: 'svc etch --file forecast.txt --description "About the bridge" --wait',
  preregistration:
    'svc etch --file plan.md --sealed-until 60d --description "Plan of a study on seedlings" --topic science',
  disclosure:
    'svc etch --files proof/ --file disclosure.txt --sealed-until 90d --description "A flaw, reported to its maintainer" --topic tech',
};

interface BlindOptions extends TextOptions {
  sealedUntil?: string;
  description?: string;
  topic: string;
  chain?: string;
}

/** Encrypts on this machine: the service never receives the text. */
async function etchBlind(text: string | undefined, options: BlindOptions, context: Context): Promise<void> {
  refuseUnwritable(options.save);
  const given = await readText(text, options, context);
  const readsText = options.file === '-' || (options.file === undefined && (text ?? '-') === '-');
  const description = await describe(options.description, given, readsText, context);
  const { client, keyPair, profileName } = openSession(options, context.env);
  const { chain, TimelockError } = await namedChain(options.chain);
  const wanted = options.sealedUntil!;
  const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
  let sealedUntil = wanted;
  say(
    context,
    'Encrypted on this machine. A retraction cannot undo this: anyone with a copy of the ciphertext can open it from its time on.',
  );
  try {
    const { seal, ...made } = await etchBlindOnce(
      client,
      {
        content: given,
        description,
        category_id: options.topic as TopicId,
        async until(kept) {
          const now = await client.serverTime();
          sealedUntil = kept !== undefined && isFromNow(wanted) ? kept : await absoluteTime(wanted, client);
          const horizon = horizonWarning(sealedUntil, now);
          if (horizon !== undefined) say(context, `Careful: ${horizon}`);
          return sealedUntil;
        },
      },
      { chain, sign: options.sign ? keyPair : undefined },
      { env: context.env, profileName, idempotencyKey },
    );
    const blind = { chain: seal.chain, round: seal.round, due: seal.due };
    await tell(made, client, options, context, { more: { blind }, seal });
  } catch (error) {
    adviseRetry(error, [
      ...['--sealed-until', sealedUntil],
      ...(options.description === undefined ? ['--description', description] : []),
    ]);
    if (error instanceof TimelockError || error instanceof RangeError) throw usageError(error.message);
    throw error;
  }
}
