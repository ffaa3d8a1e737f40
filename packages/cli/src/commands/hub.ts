import { command, flag, group, read } from '../command.ts';
import { submitFile } from '../hub/submit.ts';
import { count, SERVICE } from '../options.ts';
import { EXIT } from '../exit.ts';

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

export const hubCommand = group('hub', 'prove when the files of a forecast hub (hubverse) were made', [
  submit,
]);
