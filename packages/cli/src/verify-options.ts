import { flag, type InputOf, read } from './command.ts';
import { TRUST } from './find-trust.ts';
import * as parse from './options.ts';
import { chain } from './proofs/chain.ts';
import { NEEDS, PROOF_OPTIONS, REQUIRE_HELP } from './proofs/list.ts';

export const VERIFY = {
  ...TRUST,
  '[receipts...]':
    'a receipt or evidence file, - for standard input, or the id, code or url of an etch; several print a line each',
  '--profile <name>':
    'for an id or code: the profile whose service to ask (default: SVC_PROFILE, or the one in use)',
  '--base-url <url>': read(
    parse.httpUrl,
    'for an id or code: the service to ask (default: SVC_BASE_URL, or the profile’s)',
  ),
  ...chain.options,
  '--require <what>': read(parse.listOf(NEEDS), REQUIRE_HELP),
  ...PROOF_OPTIONS,
  '--json': flag('print the verification as JSON'),
  '--offline': flag('use no network: check only the words and the tree'),
};
export type VerifyOptions = Omit<InputOf<typeof VERIFY>, 'receipts' | 'baseUrl'> & { baseUrl: string };
