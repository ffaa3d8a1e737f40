import { generateKeyPair } from '@svc/sdk';
import { existsSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { usageError } from '../exit.ts';

export function keygenCommand(context: Context): Command {
  return new Command('keygen')
    .description('make an Ed25519 key pair for an agent')
    .option(
      '--out <file>',
      'write the secret key to a new file, readable by you only, and print the public key',
    )
    .option('--json', 'print the result as JSON', false)
    .addHelpText(
      'after',
      `
\`svc register\` makes a key pair itself. Use this command to store the key elsewhere, and register it with --key.

Examples:
  $ svc keygen --out agent.key
  $ svc register --key agent.key
`,
    )
    .action((options: { out?: string; json: boolean }) => {
      const { publicKey, secretKey } = generateKeyPair();
      if (options.out === undefined)
        return answer(context, options, { public_key: publicKey, secret_key: secretKey }, [
          `public key  ${publicKey}`,
          `secret key  ${secretKey}`,
        ]);
      if (existsSync(options.out))
        throw usageError(`${options.out} exists and was not changed; name a new file`);
      writeFileSync(options.out, `${secretKey}\n`, { mode: 0o600, flag: 'wx' });
      answer(context, options, { public_key: publicKey, file: options.out }, [`public key  ${publicKey}`]);
    });
}
