import { command, flag, type InputOf, many, read } from '../command.ts';
import { EXIT } from '../exit.ts';
import { TRUST } from '../find-trust.ts';
import * as parse from '../options.ts';
import { verifyCommand, verifySeveral } from '../verify/verify-command.ts';
import { findProfile, profilesPath, readProfiles } from '../profiles.ts';
import { DEFAULT_BASE_URL } from '../session.ts';

const INPUT = {
  ...TRUST,
  '[receipts...]':
    'a receipt or evidence file, - for standard input, or the id, code or url of an etch; several print a line each',
  '--profile <name>':
    'for an id or code: the profile whose service to ask (default: SVC_PROFILE, or the one in use)',
  '--base-url <url>': read(
    parse.httpUrl,
    'for an id or code: the service to ask (default: SVC_BASE_URL, or the profile’s)',
  ),
  '--block-hash <hash>': many(
    'for evidence: a block hash that you trust, so that no endpoint is needed (else --rpc returns the hash only); may be repeated',
    parse.blockHash,
  ),
  '--former':
    'for evidence: check its proof on the first chain, which the service left; trust and block hash are of that chain',
  '--require <what>': read(
    parse.verifyRequirements,
    'the checks that must pass, separated by commas: chain, log (witnesses of the log of trees); for evidence also tsa (a time stamp), ots (OpenTimestamps) (default: chain)',
  ),
  '--tsa-certificates <file>': 'for time stamps: the certificates that you trust, in PEM',
  '--bitcoin-header <hex>': many(
    'for OpenTimestamps: the header of a Bitcoin block that you trust (80 bytes); may be repeated',
    parse.bitcoinHeader,
  ),
  '--bitcoin-rpc <url>': read(
    parse.httpUrl,
    'for OpenTimestamps: a Bitcoin node that you trust, which returns the header of the block',
  ),
  '--policy <file>': 'for the log of trees: the log and the witnesses that you trust (C2SP tlog-policy)',
  '--tlog-proof <file>': 'the proof that svc receipt --tlog-proof wrote',
  '--author-key <hex>': read(
    parse.publicKey,
    'the author’s public key that you trust; check that it signed the words',
  ),
  '--promise <file>': 'check the promise that svc etch --save wrote',
  '--promise-nonce <hex>': read(parse.nonce, 'the nonce of the promise, if the file does not have it'),
  '--promise-content <file>': 'the text that was sent, if the promise file does not have it',
  '--promise-key <hex>': many('trusted promise key; may be repeated', parse.publicKey),
  '--files <path>': many('check that the words commit to this file or folder; may be repeated'),
  '--manifest <file>': 'the manifest that svc etch --files wrote',
  '--disclosure <file>': 'the disclosure of one file (svc files disclose)',
  '--json': flag('print the verification as JSON'),
  '--offline': flag('use no network: check only the words and the tree'),
};
type Given = InputOf<typeof INPUT>;
export type VerifyOptions = Omit<Given, 'receipts' | 'baseUrl'> & { baseUrl: string };

export const verifyDefinition = command(
  'verify',
  'check a receipt against the chain, or evidence against a block hash',
  {
    input: INPUT,
    below: `
Exit status:
  ${EXIT.pass}   every check passes, or has nothing to check, under trust that you supplied: flags, --trust or a pin (svc trust)
  ${EXIT.fail}   a check fails, or the receipt or evidence is malformed
  ${EXIT.wait}   a check cannot finish now (pending, or the chain was not read), or the result depends on a value that you
      did not supply: the last line names it
  ${EXIT.usage}  bad usage
  ${EXIT.input}  the receipt cannot be read: no such file or etch, or not JSON
  ${EXIT.unavailable}  the service cannot be reached, or is overloaded
  With several receipts the worst status counts: ${EXIT.fail}, then the greatest from ${EXIT.usage} on, then ${EXIT.wait}, then ${EXIT.pass}.

Examples:
  $ svc trust https://svc.example.org
  $ svc verify receipt.json
  $ svc verify receipt.json --trust svc.json --rpc http://127.0.0.1:8545
  $ svc verify https://svc.example.org/e/abc234
  $ svc verify receipt.json --offline
  $ svc verify *.json
  $ svc verify evidence.json --block-hash 0x5c1a…
  $ svc verify evidence.json --former --trust svc-of-the-first-chain.json --block-hash 0x77d0…
  $ svc verify evidence.json --block-hash 0x5c1a… --require chain,tsa --tsa-certificates authority.pem
  $ svc verify evidence.json --require ots --bitcoin-header 00e0ff27…
  $ svc verify abc234 --require chain,log --policy policy.txt
  $ svc verify --promise promise.json
  $ svc verify abc234 --files plans/ --manifest svc-files-1f2e3d4c5b6a.json`,
    run({ receipts, ...given }, context) {
      const { env } = context;
      const baseUrl = given.baseUrl ?? (env['SVC_BASE_URL'] || usedBaseUrl(env, given.profile));
      const options = { ...given, baseUrl };
      return receipts.length > 1
        ? verifySeveral(receipts, options, context)
        : verifyCommand(receipts[0], options, context);
    },
  },
);

function usedBaseUrl(env: NodeJS.ProcessEnv, named: string | undefined): string {
  const all = readProfiles(profilesPath(env));
  return findProfile(all, named ?? (env['SVC_PROFILE'] || all.current))?.base_url ?? DEFAULT_BASE_URL;
}
