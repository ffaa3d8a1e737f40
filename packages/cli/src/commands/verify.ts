import { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { withTrust } from '../find-trust.ts';
import { blockHash, collect, httpUrl, nonce, publicKey, requirements } from '../options.ts';
import { verifyCommand } from '../verify/verify-command.ts';
import type { VerifyOptions } from '../verify/options.ts';
import { verifySeveral } from '../verify-several.ts';
import { findProfile, profilesPath, readProfiles } from '../profiles.ts';
import { DEFAULT_BASE_URL } from '../session.ts';

const STATUSES = `
Exit status:
  ${EXIT.pass}   every check passes, or has nothing to check, under trust that you gave: flags, --trust or a pin (svc trust)
  ${EXIT.fail}   a check fails, or the receipt or evidence is malformed
  ${EXIT.wait}   something cannot be known now (pending, the chain was not read), or holds only if somebody is right whom you
      did not name: the last line says whom
  ${EXIT.usage}  bad usage
  ${EXIT.input}  the receipt cannot be read: no such file or etch, no JSON
  ${EXIT.unavailable}  the service cannot be reached, or asks to be called later
  With several receipts the worst status counts: ${EXIT.fail}, then those from ${EXIT.usage} (the greatest), then ${EXIT.wait}, then ${EXIT.pass}.

Examples:
  $ svc trust https://svc.example.org
  $ svc verify receipt.json
  $ svc verify receipt.json --trust svc.json --rpc http://127.0.0.1:8545
  $ svc verify https://svc.example.org/e/abc234
  $ svc verify receipt.json --offline
  $ svc verify *.json
  $ svc verify evidence.json --block-hash 0x5c1a…
  $ svc verify evidence.json --block-hash 0x5c1a… --require chain,tsa --tsa-certificates authority.pem
  $ svc verify --promise promise.json
  $ svc verify abc234 --files plans/ --manifest svc-files-1f2e3d4c5b6a.json`;

/** `svc verify` */
export function verifyDefinition(context: Context): Command {
  return withTrust(new Command('verify'))
    .description('check a receipt against the chain, or evidence by the hash of a block')
    .argument(
      '[receipts...]',
      'a receipt or evidence file, - for standard input, the id or code of an etch, or its url; several print a line each',
    )
    .option('--profile <name>', 'whose service to ask for an id (default: SVC_PROFILE, or the one in use)')
    .option(
      '--base-url <url>',
      'the service to ask for an id (default: SVC_BASE_URL, or the profile’s)',
      httpUrl,
    )
    .option(
      '--block-hash <hash>',
      'of evidence: the hash of its block, as you know it, so that nobody is asked (else --rpc is, for that hash alone); may be repeated',
      collect(blockHash),
      [],
    )
    .option(
      '--require <what>',
      'of evidence: what must pass, of chain and tsa (a time stamp), separated by commas (default: chain)',
      requirements,
    )
    .option('--tsa-certificates <file>', 'of time stamps: the certificates that you trust, in PEM')
    .option('--author-key <hex>', 'the author’s key, as you know it: are the words signed by it?', publicKey)
    .option('--promise <file>', 'the promise that came with the etch (svc etch --save): was it kept?')
    .option('--promise-nonce <hex>', 'the nonce of a promise that was kept without it', nonce)
    .option('--promise-content <file>', 'the text that was sent, of a promise that was kept without it')
    .option('--promise-key <hex>', 'trusted key of promises; may be repeated', collect(publicKey), [])
    .option(
      '--files <path>',
      'are these the files that the words commit to? a file or a folder; may be repeated',
      collect((path: string) => path),
      [],
    )
    .option('--manifest <file>', 'the manifest that svc etch --files wrote')
    .option('--disclosure <file>', 'what shows one file of a manifest (svc files disclose)')
    .option('--json', 'print the verification as JSON', false)
    .option('--offline', 'use no network: check the words and the tree of a file', false)
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
            ? await verifySeveral(targets, options, context.env, context)
            : await verifyCommand(targets[0], options, context.env, context);
        context.finish(status);
      },
    );
}

function usedBaseUrl(env: NodeJS.ProcessEnv, named: string | undefined): string {
  const all = readProfiles(profilesPath(env));
  return findProfile(all, named ?? (env['SVC_PROFILE'] || all.current))?.base_url ?? DEFAULT_BASE_URL;
}
