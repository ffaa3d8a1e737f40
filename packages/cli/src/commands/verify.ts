import { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { withTrust } from '../find-trust.ts';
import * as parse from '../options.ts';
import { verifyCommand, verifySeveral } from '../verify/verify-command.ts';
import type { VerifyOptions } from '../verify/load.ts';
import { findProfile, profilesPath, readProfiles } from '../profiles.ts';
import { DEFAULT_BASE_URL } from '../session.ts';

const STATUSES = `
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
  $ svc verify abc234 --files plans/ --manifest svc-files-1f2e3d4c5b6a.json`;

export function verifyDefinition(context: Context): Command {
  return withTrust(new Command('verify'))
    .description('check a receipt against the chain, or evidence against a block hash')
    .argument(
      '[receipts...]',
      'a receipt or evidence file, - for standard input, or the id, code or url of an etch; several print a line each',
    )
    .option(
      '--profile <name>',
      'for an id or code: the profile whose service to ask (default: SVC_PROFILE, or the one in use)',
    )
    .option(
      '--base-url <url>',
      'for an id or code: the service to ask (default: SVC_BASE_URL, or the profile’s)',
      parse.httpUrl,
    )
    .option(
      '--block-hash <hash>',
      'for evidence: a block hash that you trust, so that no endpoint is needed (else --rpc returns the hash only); may be repeated',
      parse.collect(parse.blockHash),
      [],
    )
    .option(
      '--former',
      'for evidence: check its proof on the first chain, which the service left; trust and block hash are of that chain',
    )
    .option(
      '--require <what>',
      'the checks that must pass, separated by commas: chain, log (witnesses of the log of trees); for evidence also tsa (a time stamp), ots (OpenTimestamps) (default: chain)',
      parse.verifyRequirements,
    )
    .option('--tsa-certificates <file>', 'for time stamps: the certificates that you trust, in PEM')
    .option(
      '--bitcoin-header <hex>',
      'for OpenTimestamps: the header of a Bitcoin block that you trust (80 bytes); may be repeated',
      parse.collect(parse.bitcoinHeader),
      [],
    )
    .option(
      '--bitcoin-rpc <url>',
      'for OpenTimestamps: a Bitcoin node that you trust, which returns the header of the block',
      parse.httpUrl,
    )
    .option(
      '--policy <file>',
      'for the log of trees: the log and the witnesses that you trust (C2SP tlog-policy)',
    )
    .option('--tlog-proof <file>', 'the proof that svc receipt --tlog-proof wrote')
    .option(
      '--author-key <hex>',
      'the author’s public key that you trust; check that it signed the words',
      parse.publicKey,
    )
    .option('--promise <file>', 'check the promise that svc etch --save wrote')
    .option('--promise-nonce <hex>', 'the nonce of the promise, if the file does not have it', parse.nonce)
    .option('--promise-content <file>', 'the text that was sent, if the promise file does not have it')
    .option('--promise-key <hex>', 'trusted promise key; may be repeated', parse.collect(parse.publicKey), [])
    .option(
      '--files <path>',
      'check that the words commit to this file or folder; may be repeated',
      parse.collect((path: string) => path),
      [],
    )
    .option('--manifest <file>', 'the manifest that svc etch --files wrote')
    .option('--disclosure <file>', 'the disclosure of one file (svc files disclose)')
    .option('--json', 'print the verification as JSON', false)
    .option('--offline', 'use no network: check only the words and the tree', false)
    .addHelpText('after', STATUSES)
    .action(
      async (
        targets: string[],
        given: Omit<VerifyOptions, 'baseUrl'> & { baseUrl?: string; profile?: string },
      ) => {
        const baseUrl =
          given.baseUrl ?? (context.env['SVC_BASE_URL'] || usedBaseUrl(context.env, given.profile));
        const options = { ...given, baseUrl };
        const status =
          targets.length > 1
            ? await verifySeveral(targets, options, context)
            : await verifyCommand(targets[0], options, context);
        context.finish(status);
      },
    );
}

function usedBaseUrl(env: NodeJS.ProcessEnv, named: string | undefined): string {
  const all = readProfiles(profilesPath(env));
  return findProfile(all, named ?? (env['SVC_PROFILE'] || all.current))?.base_url ?? DEFAULT_BASE_URL;
}
