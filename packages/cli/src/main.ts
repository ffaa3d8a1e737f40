import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { CommandError, EXIT } from './exit.ts';
import { inert } from './inert.ts';
import { verifyCommand } from './verify-command.ts';
import type { VerifyOptions } from './verify-command.ts';

const STATUSES = `
Exit status:
  ${EXIT.pass}   every check passes, or has nothing to check
  ${EXIT.fail}   a check fails, or the receipt is malformed
  ${EXIT.wait}   something cannot be known now: pending, or the chain was not read
  ${EXIT.usage}  bad usage
  ${EXIT.input}  the receipt cannot be read: no such file or etch, no JSON, no answer`;

/** Runs `svc` with its arguments. @returns the exit status */
export async function run(args: readonly string[]): Promise<number> {
  let status: number = EXIT.pass;
  const program = new Command('svc').description('Check etches without trusting anybody').exitOverride();
  program
    .command('verify')
    .description('check a receipt against the chain')
    .argument('<receipt>', 'a receipt file, - for standard input, the id or code of an etch, or its url')
    .option(
      '--rpc <url>',
      'JSON-RPC endpoint of the chain; repeat it to have others tried in order',
      collect(httpUrl),
      [],
    )
    .option(
      '--base-url <url>',
      'the service to ask for an id',
      httpUrl,
      process.env['SVC_BASE_URL'] || 'http://127.0.0.1:3000',
    )
    .option('--relayer <address>', 'trusted attester; may be repeated', collect(address), [])
    .option('--contract <address>', 'trusted attestation contract', address)
    .option('--schema <uid>', 'trusted schema', bytes32)
    .option('--chain-id <number>', 'trusted chain id', chainId)
    .option('--json', 'print the verification as JSON', false)
    .option('--offline', 'use no network: check the words and the tree of a file', false)
    .addHelpText('after', STATUSES)
    .exitOverride()
    .action(async (target: string, options: VerifyOptions) => {
      const out = (text: string) => void process.stdout.write(text);
      status = await verifyCommand(target, options, process.env, { out });
    });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.pass : EXIT.usage;
    const known = error instanceof CommandError;
    process.stderr.write(`svc: ${known ? inert(error.message) : String((error as Error).stack)}\n`);
    return known ? error.status : EXIT.defect;
  }
}

const collect =
  (parse: (value: string) => string) =>
  (value: string, previous: string[]): string[] => [...previous, parse(value)];

function matching(pattern: RegExp, what: string): (value: string) => string {
  return (value) => {
    if (!pattern.test(value)) throw new InvalidArgumentError(`It is not ${what}.`);
    return value.toLowerCase();
  };
}

const address = matching(/^0x[0-9a-f]{40}$/i, 'an address (0x and 40 hex digits)');
const bytes32 = matching(/^0x[0-9a-f]{64}$/i, 'a uid (0x and 64 hex digits)');

function httpUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('It is not an http or https url.');
  return value;
}

function chainId(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new InvalidArgumentError('It is not a chain id.');
  return Number(value);
}
