import { command, group, needed, asIs, word } from '../command.ts';
import { EXIT } from '../exit.ts';
import { CHECKED, RECORD } from '../hub/check-options.ts';
import { checkHub, reportWords } from '../hub/check.ts';
import { printRows } from '../hub/print-rows.ts';
import { scoreColumns, scoreHub } from '../hub/score.ts';
import { SUBMIT, submitFile } from '../hub/submit.ts';
import { readOutcomes } from '../hub/target-data.ts';

const submit = command(
  'submit',
  'check a model-output file, and etch its salted hash; the file is not sent',
  {
    input: SUBMIT,
    examples: [
      'svc hub submit model-output/weir-ar/2026-01-03-weir-ar.csv --wait',
      'svc hub submit model-output/weir-ar/2026-01-03-weir-ar.parquet --sealed',
    ],
    below: `
Salt and receipt are written to .svc/<round>/<model>.json: commit that file too. A changed file is a new etch that names the earlier one.
An unchanged file is etched once, and again if the earlier etch was before the window. Each run updates the receipt.`,
    run: submitFile,
  },
);

const check = command('check', 'check when the files of a hub were proven, and which rounds are missing', {
  input: { ...CHECKED, ...RECORD },
  examples: [
    'svc hub check --base-url https://svc.example.org',
    'svc hub check flu-hub --round 2026-01-03 --format markdown',
    'svc hub check --model weir-ar --record index',
    'svc hub check --changed-since origin/main',
  ],
  below: `
Exit status:
  ${EXIT.pass}   every checked file was on time and every checked record is whole, under trust that you supplied: flags, --trust or a pin (svc trust)
  ${EXIT.fail}   a file was late, early, changed or never committed, or a record is not whole
  ${EXIT.wait}   not everything can be proven now, there was no file to check, or --changed-since names changed configuration or trust, or removed files`,
  async run({ folder, format, ...options }, context) {
    const report = await checkHub(folder, options, context);
    const { hub, rows: files, models, result, notes } = report;
    const value = { result, hub: hub.name, files, models, notes };
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
    '--by <columns>': word(
      'the columns of a row: model, round and task ids, separated by commas',
      'model,target',
    ),
  },
  examples: [
    'svc hub score --target target-data/oracle-output.csv',
    'svc hub score --target target-data/time-series.csv --by model,horizon,location --format csv',
  ],
  below: `
Exit status ${EXIT.wait}: no file was scored, or the times of the scored files depend on values that you did not supply (svc trust).`,
  async run({ folder, format, target, by, ...options }, context) {
    const given = { ...options, record: 'none' as const, indexWitness: [] };
    const report = await checkHub(folder, given, context);
    const outcomes = await readOutcomes(target, report.hub, context);
    const value = await scoreHub(report, outcomes, by.split(','), context);
    const { rows, not_scored: others, scored_files: files, without_outcome: missing } = value;
    const counted = Object.entries(others).map(([state, count]) => `${count} ${state}`);
    const counts = [
      '',
      `${files} ${files === 1 ? 'file' : 'files'} proven on time and scored; not scored: ${counted.join(', ') || 'none'}`,
      `${missing} ${missing === 1 ? 'prediction' : 'predictions'} (quantiles, median or probabilities) without an outcome in the target data`,
    ];
    const words = printRows(format, scoreColumns(value.by), rows);
    const isProven =
      files > 0 && report.rows.every(({ state, result }) => state !== 'on time' || result === 'pass');
    const status = EXIT[isProven ? 'pass' : 'wait'];
    return { value, words: format === 'csv' ? words : [...words, ...counts], status };
  },
});

export const hubCommand = group('hub', 'prove when the files of a forecast hub (hubverse) were made', [
  submit,
  check,
  score,
]);
