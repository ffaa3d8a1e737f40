import { choice, command, flag, group, many, needed, asIs, otherwise, read, word } from '../command.ts';
import { checkHub } from '../hub/check.ts';
import { FORMATS, reportWords } from '../hub/print-check.ts';
import { scoreJson, scoreWords } from '../hub/print-score.ts';
import { scoreHub } from '../hub/score.ts';
import { submitFile } from '../hub/submit.ts';
import { readOutcomes } from '../hub/target-data.ts';
import { count, SERVICE } from '../options.ts';
import { EXIT } from '../exit.ts';
import { TRUST } from '../find-trust.ts';

const submit = command(
  'submit',
  'check a model-output file, and etch its salted hash; the file is not sent',
  {
    input: {
      ...SERVICE,
      '<file>':
        'model-output/<team>-<model>/<round>-<team>-<model>.csv or .parquet, in a checkout of the hub',
      '--sealed': flag('hide hub, round and model until the submission window closes'),
      '--new-window': flag('the organizer moved the deadline since the earlier file'),
      '--description <text>':
        'public at once and permanently; at most 140 characters (default: names model, round and hub)',
      '--no-sign': 'do not sign, even if the profile has a key pair',
      '--wait': flag('wait until the etch is anchored on the chain'),
      '--timeout <seconds>': read(
        count,
        `with --wait: stop waiting after this time, with exit status ${EXIT.wait} (default: 600)`,
      ),
    },
    examples: [
      'svc hub submit model-output/weir-ar/2026-01-03-weir-ar.csv --wait',
      'svc hub submit model-output/weir-ar/2026-01-03-weir-ar.parquet --sealed',
    ],
    below: `
Salt and receipt are written to .svc/<round>/<model>.json: commit that file too. A changed file is a new etch that names the earlier one.
An unchanged file is etched once; each run updates its receipt.`,
    run: ({ file, ...options }, context) => submitFile(file, options, context),
  },
);

const CHECKED = {
  ...SERVICE,
  ...TRUST,
  '[folder]': word('a checkout of the hub', '.'),
  '--round <id>': 'only this round',
  '--model <team-model>': 'only this model',
  '--format <name>': otherwise('table', choice(FORMATS, 'of the output')),
  '--parallel <number>': otherwise(4, read(count, 'concurrent requests')),
};
const RECORD = {
  '--record <how>': otherwise(
    'audit',
    choice(['audit', 'index', 'none'], 'how to prove that the record of each account is whole'),
  ),
  '--policy <file>': 'with --record index: the log and the witnesses that you trust (C2SP tlog-policy)',
  '--index-witness <name>': many(
    'with --policy: a witness of the policy that recomputes the index of accounts; may be repeated',
  ),
};

const check = command('check', 'check when the files of a hub were proven, and which rounds are missing', {
  input: { ...CHECKED, ...RECORD },
  examples: [
    'svc hub check --base-url https://svc.example.org',
    'svc hub check flu-hub --round 2026-01-03 --format markdown',
    'svc hub check --model weir-ar --record index',
  ],
  below: `
Exit status:
  ${EXIT.pass}   every file was on time and every record is whole, under trust that you supplied: flags, --trust or a pin (svc trust)
  ${EXIT.fail}   a file was late, early, changed or never committed, or a record is not whole
  ${EXIT.wait}   not everything can be proven now`,
  async run({ folder, format, ...options }, context) {
    const report = await checkHub(folder, options, context);
    const { hub, rows: files, models, result } = report;
    const value = { result, hub: hub.name, files, models };
    return { value, words: reportWords(report, format), status: EXIT[result] };
  },
});

const score = command('score', 'score the files that were proven on time against the outcomes', {
  input: {
    ...CHECKED,
    '--target <file>': needed(
      asIs,
      'the outcomes: oracle output or time series of the hub, as CSV or Parquet',
    ),
    '--by <columns>': word('the columns of a row: model and task ids, separated by commas', 'model,target'),
  },
  examples: [
    'svc hub score --target target-data/oracle-output.csv',
    'svc hub score --target target-data/time-series.csv --by model,horizon,location --format csv',
  ],
  below: `
Exit status ${EXIT.wait}: the times of the scored files depend on values that you did not supply (svc trust).`,
  async run({ folder, format, target, by, ...options }, context) {
    const given = { ...options, record: 'none' as const, indexWitness: [] };
    const report = await checkHub(folder, given, context);
    const outcomes = await readOutcomes(target, report.hub, context);
    const found = await scoreHub(report, outcomes, by.split(','), context);
    const scored = report.rows.filter(({ state }) => state === 'on time');
    const isProven = scored.every(({ result }) => result === 'pass');
    const status = EXIT[isProven ? 'pass' : 'wait'];
    return { value: scoreJson(found), words: scoreWords(found, format), status };
  },
});

export const hubCommand = group('hub', 'prove when the files of a forecast hub (hubverse) were made', [
  submit,
  check,
  score,
]);
