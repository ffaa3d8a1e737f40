import { command, choice, flag, type InputOf, read } from '../command.ts';
import { type Context, say } from '../context.ts';
import { type TemplateName, TEMPLATES } from '@svc/protocol/conventions';
import { futureTime, SERVICE, TOPIC } from '../options.ts';
import { usageError } from '../exit.ts';
import { readDescription, makeEtch, reportEtch, TEXT_OPTIONS } from '../make-etch.ts';
import { clientOf, openSession } from '../session.ts';
import { readText } from '../input-file.ts';
import { commitFiles, FILES, hasFiles } from '../files/commit-files.ts';
import { refuseScope } from '../audit/audit-scope.ts';
import { composeWords, FORECAST, RESOLUTION, resolutionOf, warnOfForecast } from '../compose.ts';
import { atFixedTime } from '../fixed-time.ts';
import { etchBlindOnce, horizonWarning } from '../etch-blind-once.ts';
import { namedChain } from '../open-blind.ts';
import { refuseUnwritable } from '../out-file.ts';
import { adviseRetry } from '../report-error.ts';

const INPUT = {
  ...SERVICE,
  ...TEXT_OPTIONS,
  '[text]': 'the text, at most 2000 characters; - or no argument reads standard input',
  '--sealed-until <time>': read(
    futureTime,
    'hide the text until this time: a time with its offset, or a duration from now (90m, 12h, 3d)',
  ),
  '--blind': flag(
    'with --sealed-until: encrypt the text (at most 1000 bytes) on this machine to the drand network; the service never receives it',
  ),
  '--chain <file>':
    'with --blind: use a drand chain other than quicknet; the file has what its relay answers at /<hash>/info',
  '--description <text>':
    'public at once and permanently, even after a retraction; at most 140 characters (a terminal asks for it)',
  ...TOPIC,
  '--template <name>': choice(
    Object.keys(TEMPLATES) as TemplateName[],
    'print a template to fill in, and etch nothing',
  ),
  ...FORECAST,
  ...FILES,
  ...RESOLUTION,
};
type EtchOptions = InputOf<typeof INPUT>;

export const etchCommand = command(
  'etch',
  'commit to a text: hashed, timestamped and anchored; nobody can edit it later',
  {
    input: INPUT,
    examples: [
      'svc etch "The bridge opens before the end of May." --description "When the bridge opens"',
      'svc etch --file prediction.txt --blind --sealed-until 30d --description "The bridge"  # the service cannot read it',
      'svc etch --file prediction.txt --sealed-until 30d --description "About the bridge"',
      'date | svc etch --description "The clock of this machine" --topic science --wait',
      'svc etch --files plans/ --description "Plans for the weir" --wait       # hashed on this machine, not sent',
      'svc etch "The wind turns." --forecast yes=0.72 --description "Rain on Sunday?"',
      'svc etch --resolve <challenge> --outcome yes --source https://gauge.example.org',
      'svc etch --template preregistration > plan.md',
    ],
    async run(options, context) {
      const { template } = options;
      if (template !== undefined) {
        context.out(TEMPLATES[template]);
        return say(context, `Fill it in, then run: ${TEMPLATE_COMMANDS[template]}`);
      }
      refuseTogether(options);
      return options.blind ? etchBlind(options, context) : etch(options, context);
    },
  },
);

async function etch({ text, ...options }: EtchOptions, context: Context): Promise<void> {
  // With these options the text is a note below the words.
  const isNote = hasFiles(options) || options.forecast.length > 0 || options.resolve !== undefined;
  const isMissing = isNote && text === undefined && options.file === undefined;
  const given = isMissing ? '' : await readText(text, options, context);
  const resolved = await resolutionOf(options, given, context);
  const description =
    resolved?.description ??
    (await readDescription(options.description, given, !isMissing && readsStdin(text, options), context));
  const committed = hasFiles(options) ? await commitFiles(options, given, context) : undefined;
  const content = resolved?.content ?? committed?.words ?? composeWords(given, options);
  warnOfForecast(content, context);
  await refuseScope(content, options, context);
  const manifest = committed?.summary.manifest ?? null;
  const isDescribed = options.description !== undefined || resolved !== undefined;
  const body = { content, description, category_id: resolved?.category_id ?? options.topic };
  const more = committed && { files: committed.summary };
  const retry = [
    ...(manifest === null ? [] : ['--manifest', manifest]),
    ...(isDescribed ? [] : ['--description', description]),
  ];
  const { sealedUntil, idempotencyKey } = options;
  if (sealedUntil === undefined)
    return void (await makeEtch({ ...body, mode: 'instant' }, options, context, { more, retry }));
  const client = clientOf(options, context);
  await atFixedTime(sealedUntil, { idempotencyKey, client }, context, (until, key) =>
    makeEtch({ ...body, mode: 'delayed', reveal_at: until }, { ...options, idempotencyKey: key }, context, {
      more,
      retry: ['--sealed-until', until, ...retry],
    }),
  );
}

const readsStdin = (text: string | undefined, { file }: Pick<EtchOptions, 'file'>): boolean =>
  file === '-' || (file === undefined && (text ?? '-') === '-');

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

/** Encrypts on this machine: the service never receives the text. */
async function etchBlind({ text, ...options }: EtchOptions, context: Context): Promise<void> {
  refuseUnwritable(options.save);
  const given = await readText(text, options, context);
  const description = await readDescription(options.description, given, readsStdin(text, options), context);
  const { client, keyPair, profileName } = openSession(options, context.env);
  const { chain, TimelockError } = await namedChain(options.chain);
  say(
    context,
    'Encrypted on this machine. A retraction cannot undo this: anyone with a copy of the ciphertext can open it from its time on.',
  );
  const { idempotencyKey } = options;
  await atFixedTime(options.sealedUntil!, { idempotencyKey, client }, context, async (sealedUntil, key) => {
    const horizon = horizonWarning(sealedUntil, await client.serverTime());
    if (horizon !== undefined) say(context, `Careful: ${horizon}`);
    try {
      const { seal, ...made } = await etchBlindOnce(
        client,
        { content: given, description, category_id: options.topic, sealed_until: sealedUntil },
        { chain, sign: options.sign ? keyPair : undefined, idempotencyKey: key },
        { env: context.env, profileName, isGivenKey: idempotencyKey !== undefined },
      );
      const blind = { chain: seal.chain, round: seal.round, due: seal.due };
      await reportEtch(made, client, options, context, { more: { blind }, seal });
    } catch (error) {
      adviseRetry(error, [
        '--sealed-until',
        sealedUntil,
        ...(options.description === undefined ? ['--description', description] : []),
      ]);
      if (error instanceof TimelockError || error instanceof RangeError) throw usageError(error.message);
      throw error;
    }
  });
}
