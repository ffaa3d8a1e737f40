import { Command } from 'commander';
import { answer, answerList, type Context, serviceCommand, type ServiceOptions } from '../context.ts';
import { profilesPath, readProfiles, useProfile } from '../profiles.ts';
import { openSession } from '../session.ts';

export function whoamiCommand(context: Context): Command {
  return serviceCommand('whoami', 'show the account in use and what it may still etch today', [
    'svc whoami',
    'svc whoami --json | jq .etches.remaining',
  ]).action(async (options: ServiceOptions) => {
    const { client, profileName, profile } = openSession(options, context.env);
    const [user, limits] = [await client.me(), await client.limits()];
    const { account, etches } = limits;
    answer(context, options, { user, ...limits, service: client.origin }, [
      `${user.username} (${user.display_name}) at ${client.origin}`,
      `account   ${account.kind}, ${account.assurance}`,
      `etches    ${Math.floor(etches.remaining)} of ${etches.per_day} left, plus ${etches.refill_per_hour.toFixed(1)} an hour`,
      ...(profile === undefined ? [] : [`profile   ${profileName}`]),
    ]);
  });
}

export function renameCommand(context: Context): Command {
  return serviceCommand('rename', 'change the display name; the username stays', [
    'svc rename "Heron watcher"',
  ])
    .argument('<name>', 'the display name, at most 64 characters')
    .action(async (name: string, options: ServiceOptions) => {
      const user = await openSession(options, context.env).client.rename(name);
      answer(context, options, { user }, [`${user.username} is shown as ${user.display_name}`]);
    });
}

export function keysCommand(context: Context): Command {
  const keys = new Command('keys').description('list, issue and revoke API keys');
  keys.addCommand(
    serviceCommand('list', 'list the account’s keys', ['svc keys list']).action(
      async (options: ServiceOptions) => {
        const found = await openSession(options, context.env).client.keys.list();
        const words = found.map(({ id, name, scope, prefix, revoked_at }) =>
          [id, scope.padEnd(5), `${prefix}…`, name, revoked_at === null ? '' : `revoked ${revoked_at}`]
            .join('  ')
            .trimEnd(),
        );
        answerList(context, options, { keys: found }, words, 'This account has no API keys.');
      },
    ),
  );
  keys.addCommand(
    serviceCommand('create', 'issue a key and print it; the key is shown only once', [
      'svc keys create "nightly report"',
      'svc keys create deploy --write',
    ])
      .argument('<name>', 'a name for the key, at most 64 characters')
      .option('--write', 'allow writing (default: read only)', false)
      .action(async (name: string, options: ServiceOptions & { write: boolean }) => {
        const { client } = openSession(options, context.env);
        const { key, apiKey } = await client.keys.create(name, { scope: options.write ? 'write' : 'read' });
        answer(context, options, { key, api_key: apiKey }, [apiKey]);
      }),
  );
  keys.addCommand(
    serviceCommand('revoke', 'revoke a key at once', ['svc keys revoke <id from svc keys list>'])
      .argument('<id>', 'the key’s id')
      .action(async (id: string, options: ServiceOptions) => {
        const key = await openSession(options, context.env).client.keys.revoke(id);
        answer(context, options, { key }, [`revoked ${key.name} (${key.prefix}…)`]);
      }),
  );
  return keys;
}

export function profileCommand(context: Context): Command {
  const path = profilesPath(context.env);
  const profile = new Command('profile').description(
    'list the accounts on this machine, or choose the one in use',
  );
  profile.addCommand(
    new Command('list')
      .description('list the profiles; * is the one in use')
      .option('--json', 'print the result as JSON', false)
      .action(({ json }: { json: boolean }) => {
        const { current, profiles } = readProfiles(path);
        const found = Object.entries(profiles).map(([name, { base_url, username = null }]) => ({
          name,
          base_url,
          username,
          current: name === current,
        }));
        const words = found.map(
          ({ name, base_url, username, current: used }) =>
            `${used ? '*' : ' '} ${name}  ${username ?? '-'}  ${base_url}`,
        );
        answerList(
          context,
          { json },
          { profiles: found },
          words,
          'There are no profiles yet; svc register makes one.',
        );
      }),
  );
  profile.addCommand(
    new Command('use')
      .description('make a profile the one in use')
      .argument('<name>')
      .option('--json', 'print the result as JSON', false)
      .action((name: string, options: { json: boolean }) => {
        useProfile(path, name);
        answer(context, options, { current: name }, [`${name} is the profile in use`]);
      }),
  );
  return profile;
}
