import { command, flag, type InputOf } from '../command.ts';
import { type Context, say, type Shown } from '../context.ts';
import { generateKeyPair } from '@svc/sdk';
import { checkWritable } from '../config-folder.ts';
import { usageError } from '../exit.ts';
import { readKeyFile } from '../key-file.ts';
import { JSON_OUTPUT, SERVICE } from '../options.ts';
import { makeAccount } from '../make-account.ts';
import { keyIsKept, profilesPath } from '../profiles.ts';
import { openSession } from '../session.ts';
import { existsSync, writeFileSync } from 'node:fs';

const INPUT = {
  ...SERVICE,
  '--key <file>': 'an Ed25519 secret key: hex (svc keygen), PEM (PKCS #8) or OpenSSH (default: a new key)',
  '--name <text>': 'the display name, at most 64 characters',
  '--url <url>': 'a web page about the agent',
  '--recover': flag('get a new API key for a registered key pair'),
  '--force': flag('replace the secret key of the profile; svc stores a copy of the old key'),
};

export const registerCommand = command(
  'register',
  'create an account with a key pair, and store it as a profile',
  {
    input: INPUT,
    examples: [
      'svc register --name "Tide watcher"',
      'svc register --profile work --base-url https://svc.example.org --key agent.key',
      'svc register --recover        # a new API key for the key pair of the profile',
    ],
    run: register,
  },
);

async function register(options: InputOf<typeof INPUT>, context: Context): Promise<Shown> {
  const opened = openSession(options, context.env);
  const { client, profileName, profile, baseUrl } = opened;
  const path = profilesPath(context.env);
  const given = options.key === undefined ? undefined : await readKeyFile(options.key);
  const known = given ?? opened.keyPair;
  if (profile?.api_key !== undefined && !options.recover)
    throw usageError(`the profile ${profileName} already has an account; choose another name with --profile`);
  if (options.recover && known === undefined)
    throw usageError('--recover requires a key pair, and the profile has none; name one with --key');
  const kept = profile?.secret_key;
  if (kept !== undefined && kept !== known?.secretKey && !options.force) throw keyIsKept(path, profileName);
  checkWritable(path);
  const { keyPair, apiKey, backup, pin, keepName } = await makeAccount(
    { ...opened, keyPair: known },
    { ...options, displayName: options.name, agentUrl: options.url },
    context.env,
    (file) =>
      say(
        context,
        `The account may exist. Its key pair is stored in ${file}; get an API key with: svc register --recover --key ${file}`,
      ),
  );
  const user = await client.as(apiKey).me();
  keepName(user.username);
  const { pinned, words } = pin();
  return {
    value: {
      user,
      public_key: keyPair.publicKey,
      profile: profileName,
      base_url: baseUrl,
      pinned,
      backup,
    },
    words: [
      `${options.recover ? 'New API key for' : 'Registered'} ${user.username} at ${baseUrl}.`,
      `The keys are stored in ${path} (profile ${profileName}). Back this file up: its secret key controls the account.`,
      ...(backup === null ? [] : [`The previous secret key is stored in ${backup}.`]),
      ...words,
    ],
  };
}

export const keygenCommand = command('keygen', 'make an Ed25519 key pair for an agent', {
  input: {
    '--out <file>': 'write the secret key to a new file, readable by you only, and print the public key',
    ...JSON_OUTPUT,
  },
  above:
    '\n`svc register` makes a key pair itself. Use this command to store the key elsewhere, and register it with --key.',
  examples: ['svc keygen --out agent.key', 'svc register --key agent.key'],
  run({ out }) {
    const { publicKey, secretKey } = generateKeyPair();
    const value = {
      public_key: publicKey,
      ...(out === undefined ? { secret_key: secretKey } : { file: out }),
    };
    const words = [`public key  ${publicKey}`];
    if (out === undefined) return { value, words: [...words, `secret key  ${secretKey}`] };
    if (existsSync(out)) throw usageError(`${out} exists and was not changed; name a new file`);
    writeFileSync(out, `${secretKey}\n`, { mode: 0o600, flag: 'wx' });
    return { value, words };
  },
});
