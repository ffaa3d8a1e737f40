import { answer, type Context, say, serviceCommand, type ServiceOptions } from '../context.ts';
import { generateKeyPair } from '@svc/sdk';
import { Command } from 'commander';
import { checkWritable } from '../config-folder.ts';
import { usageError } from '../exit.ts';
import { contact } from '../pins.ts';
import { readKeyFile } from '../key-file.ts';
import { changeProfile, keyIsKept, type Profile, profilesPath, withNewKey } from '../profiles.ts';
import { openSession } from '../session.ts';
import { existsSync, writeFileSync } from 'node:fs';

interface RegisterOptions extends ServiceOptions {
  key?: string;
  name?: string;
  url?: string;
  recover: boolean;
  force: boolean;
}

export function registerCommand(context: Context): Command {
  return serviceCommand('register', 'create an account with a key pair, and store it as a profile', [
    'svc register --name "Tide watcher"',
    'svc register --profile work --base-url https://svc.example.org --key agent.key',
    'svc register --recover        # a new API key for the key pair of the profile',
  ])
    .option(
      '--key <file>',
      'an Ed25519 secret key: hex (svc keygen), PEM (PKCS #8) or OpenSSH (default: a new key)',
    )
    .option('--name <text>', 'the display name, at most 64 characters')
    .option('--url <url>', 'a web page about the agent')
    .option('--recover', 'get a new API key for a registered key pair', false)
    .option('--force', 'replace the secret key of the profile; svc stores a copy of the old key', false)
    .action((options: RegisterOptions) => register(options, context));
}

async function register(options: RegisterOptions, context: Context): Promise<void> {
  const { client, profileName, profile, baseUrl, keyPair } = openSession(options, context.env);
  const path = profilesPath(context.env);
  const given = options.key === undefined ? undefined : await readKeyFile(options.key);
  const known = given ?? keyPair;
  if (profile?.api_key !== undefined && !options.recover)
    throw usageError(`the profile ${profileName} already has an account; choose another name with --profile`);
  if (options.recover && known === undefined)
    throw usageError('--recover requires a key pair, and the profile has none; name one with --key');
  const kept = profile?.secret_key;
  if (kept !== undefined && kept !== known?.secretKey && !options.force) throw keyIsKept(path, profileName);
  checkWritable(path);
  const pin = await contact(client.origin, context.env);
  const pair = known ?? generateKeyPair();
  const stranger = client.as(undefined);
  const make = async () => {
    const made = options.recover
      ? await stranger.recoverKey(pair)
      : await stranger.registerAgent(pair, { displayName: options.name, agentUrl: options.url });
    // The account exists now. Store the API key at once.
    const store = (old: Profile | undefined): Profile => ({
      ...old,
      base_url: baseUrl,
      secret_key: pair.secretKey,
      api_key: made.apiKey,
    });
    return { apiKey: made.apiKey, backup: changeProfile(path, profileName, store, options) };
  };
  const { apiKey, backup } =
    known === undefined
      ? await withNewKey(path, profileName, pair, make, (file) =>
          say(
            context,
            `The account may exist. Its key pair is stored in ${file}; get an API key with: svc register --recover --key ${file}`,
          ),
        )
      : await make();
  const user = await client.as(apiKey).me();
  changeProfile(path, profileName, (old) => ({ ...old!, username: user.username }));
  const pinned = pin();
  const value = {
    user,
    public_key: pair.publicKey,
    profile: profileName,
    base_url: baseUrl,
    pinned: pinned.pinned,
    backup,
  };
  answer(context, options, value, [
    `${options.recover ? 'New API key for' : 'Registered'} ${user.username} at ${baseUrl}.`,
    `The keys are stored in ${path} (profile ${profileName}). Back this file up: its secret key controls the account.`,
    ...(backup === null ? [] : [`The previous secret key is stored in ${backup}.`]),
    ...pinned.words,
  ]);
}

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
