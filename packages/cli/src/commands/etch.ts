import { writeFileSync } from 'node:fs';
import { TEMPLATES } from '@svc/protocol/conventions';
import type { TemplateName } from '@svc/protocol/conventions';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Etch, EtchBody, TopicId } from '@svc/sdk';
import { sharedWords } from '@svc/sdk';
import { answer, ask, lines, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { etchWords } from '../etch-words.ts';
import { CommandError, EXIT } from '../exit.ts';
import { futureTime } from '../options.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';
import { readText } from '../text-input.ts';
import { commitFiles, withFiles } from '../files/commit-files.ts';
import type { FilesOptions } from '../files/commit-files.ts';
import { TEMPLATE_COMMANDS } from '../template-commands.ts';
import { composeWords, withForecast } from '../compose-words.ts';
import type { WordsOptions } from '../compose-words.ts';
import { resolutionOf, withResolution } from '../compose-resolution.ts';
import type { ResolveOptions } from '../compose-resolution.ts';

interface TextOptions extends ServiceOptions {
  file?: string;
  exact: boolean;
  sign: boolean;
  wait: boolean;
  idempotencyKey?: string;
  save?: string;
}

interface EtchOptions extends TextOptions, FilesOptions, WordsOptions, ResolveOptions {
  sealedUntil?: string;
  description?: string;
  topic: string;
  template?: TemplateName;
}

/** What commands that etch share. */
export const withText = (command: Command): Command =>
  command
    .option('--file <path>', 'take the text from a file, - for standard input')
    .option('--exact', 'keep a line end at the very end of a file or of standard input', false)
    .option('--no-sign', 'do not sign, although the profile has a key pair')
    .option('--wait', 'wait until it is anchored on the chain', false)
    .option('--save <file>', 'keep the service’s signed promise to anchor it (see svc verify --promise)')
    .option(
      '--idempotency-key <key>',
      'the same key with the same text never etches twice, today or in years',
    );

/** `svc etch` */
export function etchCommand(context: Context): Command {
  const command = withText(
    serviceCommand('etch', 'commit to a text: hashed, timestamped, anchored; never edited', [
      'svc etch "The bridge opens before the end of May." --description "When the bridge opens"',
      'svc etch --file prediction.txt --sealed-until 30d --description "About the bridge"',
      'date | svc etch --description "The clock of this machine" --topic science --wait',
      'svc etch --files plans/ --description "Plans for the weir" --wait       # hashed here, never sent',
      'svc etch "The wind turns." --forecast yes=0.72 --description "Rain on Sunday?"',
      'svc etch --resolve <challenge> --outcome yes --source https://gauge.example.org',
      'svc etch --template preregistration > plan.md',
    ]),
  )
    .argument('[text]', 'the text, at most 2000 characters; - or nothing for standard input')
    .option(
      '--sealed-until <time>',
      'hide the text until then: a time with its offset, or so long from now (90m, 12h, 3d)',
      (value: string) => futureTime(value),
    )
    .option(
      '--description <text>',
      'public at once and for ever, also after a retraction; at most 140 characters (asked for at a terminal)',
    )
    .option(
      '--topic <id>',
      'crypto, markets, sports, politics, tech, ai, science, business, culture, personal, other',
      'other',
    )
    .addOption(
      new Option('--template <name>', 'print a worked text to begin with, and etch nothing').choices(
        Object.keys(TEMPLATES),
      ),
    );
  return withResolution(withFiles(withForecast(command))).action(
    async (text: string | undefined, options: EtchOptions) => {
      if (options.template !== undefined) {
        context.out(TEMPLATES[options.template]);
        return context.note(lines(`Fill it in, then: ${TEMPLATE_COMMANDS[options.template]}`));
      }
      refuseTogether(options);
      // Of files, forecasts and resolutions the text is what stands below.
      const isNote = options.files.length > 0 || options.forecast.length > 0 || options.resolve !== undefined;
      const isGiven = text !== undefined || options.file !== undefined;
      const given = isNote && !isGiven ? '' : await readText(text, options, context);
      const resolved = await resolutionOf(options, given, context);
      const readsText =
        !(isNote && !isGiven) &&
        (options.file === '-' || (options.file === undefined && (text ?? '-') === '-'));
      const description =
        resolved?.description ?? (await describe(options.description, given, readsText, context));
      // Last, because it writes a manifest: what can be refused was refused before.
      const committed = options.files.length > 0 ? await commitFiles(options, given, context) : undefined;
      const content = resolved?.words ?? committed?.words ?? composeWords(given, options);
      await make(
        {
          content,
          description,
          // The service knows the topics; an unknown one is refused there.
          category_id: (resolved?.topic ?? options.topic) as TopicId,
          ...(options.sealedUntil === undefined
            ? { mode: 'instant' as const }
            : { mode: 'delayed' as const, reveal_at: options.sealedUntil }),
        },
        options,
        context,
        committed && { files: committed.told },
      );
    },
  );
}

/** One etch commits to one thing. */
function refuseTogether({ files, forecast, resolve, sealedUntil, short, manifest }: EtchOptions): void {
  const asked = [files.length > 0, forecast.length > 0, resolve !== undefined].filter(Boolean);
  if (asked.length > 1)
    throw new CommandError(EXIT.usage, '--files, --forecast and --resolve each make an etch of their own');
  if (resolve !== undefined && sealedUntil !== undefined)
    throw new CommandError(EXIT.usage, 'a resolution is public at once: leave --sealed-until out');
  if (files.length === 0 && (short || manifest !== undefined))
    throw new CommandError(EXIT.usage, 'name the files with --files');
}

/** Etches, and waits when asked to. */
export async function make(
  body: EtchBody,
  options: TextOptions,
  context: Context,
  more: object = {},
): Promise<Etch> {
  const { client, keyPair } = openSession(options, context.env);
  const { etch, replayed, promise, promiseV2 } = await client.etch(body, {
    sign: options.sign ? keyPair : undefined,
    idempotencyKey: options.idempotencyKey,
  });
  // Before anything else can fail: it is the one proof that the service took the etch.
  if (options.save !== undefined)
    writeFileSync(options.save, `${JSON.stringify({ ...promise, promise_v2: promiseV2 }, null, 2)}\n`);
  if (replayed) context.note(lines('This key was used before: this is the etch it made then.'));
  if (options.wait) context.note(lines(`etched ${etch.short_url}; waiting for the chain`));
  const shown = options.wait ? await client.waitForAnchored(etch.id) : etch;
  answer(
    context,
    options,
    { etch: shown, replayed, promise, promise_v2: promiseV2, ...more },
    etchWords(shown),
  );
  return shown;
}

/**
 * The description as given, or as a person at a terminal types it. It is public for ever and no retraction takes it back, so
 * it is never made out of the text, and what it gives away of the text is told.
 */
async function describe(
  given: string | undefined,
  content: string,
  readsText: boolean,
  context: Context,
): Promise<string> {
  if (given === undefined && (readsText || !context.stdin.isTTY))
    throw new CommandError(
      EXIT.usage,
      'give --description: it is public at once and for ever, so it is never taken from the text',
    );
  const description = given ?? (await ask('Description, public at once and for ever: ', context));
  if (description.trim() === '') throw new CommandError(EXIT.usage, 'an etch needs a description');
  const shared = sharedWords(description, content);
  if (shared !== null)
    context.note(
      lines(
        `Careful: the description gives “${shared}” of the text away. It is public at once, and stays when the text is retracted.`,
      ),
    );
  return description;
}
