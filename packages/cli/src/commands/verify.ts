import { command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { verifyCommand, verifySeveral } from '../verify/verify-command.ts';
import { chosenProfile } from '../profiles.ts';
import { DEFAULT_BASE_URL } from '../session.ts';
import { VERIFY } from '../verify-options.ts';

export const verifyDefinition = command(
  'verify',
  'check a receipt against the chain, or evidence against a block hash',
  {
    input: VERIFY,
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
      const ofProfile = () => chosenProfile(given.profile, env).profile?.base_url ?? DEFAULT_BASE_URL;
      const baseUrl = given.baseUrl ?? (env['SVC_BASE_URL'] || ofProfile());
      const options = { ...given, baseUrl };
      return receipts.length > 1
        ? verifySeveral(receipts, options, context)
        : verifyCommand(receipts[0], options, context);
    },
  },
);
