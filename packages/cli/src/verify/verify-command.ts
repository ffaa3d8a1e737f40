import { overall } from '@svc/verifier';
import type { Context } from '../context.ts';
import { EXIT, usageError } from '../exit.ts';
import { verifyFilesAlone } from '../files/judge-files.ts';
import { readNamedTrust } from '../find-trust.ts';
import { printJson, printPromise, printReport } from '../print.ts';
import { readPromise } from '../promise-file.ts';
import { resultUnder } from '../verdict-words.ts';
import { check } from './check.ts';
import { checkExtras, checkMissing, type JudgedPromise } from './extras.ts';
import { load } from './load.ts';
import type { VerifyOptions } from './options.ts';
import { makeReport } from './report.ts';
import { decideTrust } from './trust.ts';

export async function verifyCommand(
  target: string | undefined,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  output: Context,
): Promise<number> {
  if (options.files.length === 0 && (options.manifest ?? options.disclosure) !== undefined)
    throw usageError('--manifest and --disclosure require --files');
  if (target === undefined && options.promise === undefined && options.files.length > 0)
    return verifyFilesAlone(options, options.json, output);
  const promised = await readPromise(options);
  const wanted = target ?? promised?.fields.etchId;
  if (wanted === undefined) throw usageError('name a receipt, an etch, or a --promise');
  const named = await readNamedTrust(options.trust);
  const loaded = await load(wanted, promised, options);
  if (loaded.state === 'missing')
    return printMissing(await checkMissing(loaded, named, options, env), options, output);
  const trusted = await decideTrust(loaded, named, options, env);
  const checked = await check(loaded, trusted, options);
  const extras = await checkExtras(loaded, trusted, checked, promised, options, output);
  const report = makeReport(loaded, trusted, checked, extras, options, env);
  output.out(options.json ? printJson(report) : printReport(report));
  return EXIT[resultUnder(report.condition, report.checked)];
}

function printMissing(
  { check: promise, notes }: JudgedPromise,
  { json }: VerifyOptions,
  output: Pick<Context, 'out'>,
): number {
  const result = overall({ checks: [promise] });
  output.out(printPromise({ check: promise, notes, result, json }));
  return EXIT[result];
}
