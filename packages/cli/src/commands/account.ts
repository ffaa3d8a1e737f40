import { command, flag, group } from '../command.ts';
import { say } from '../context.ts';
import { JSON_OUTPUT, SERVICE } from '../options.ts';
import { profilesPath, readProfiles, useProfile } from '../profiles.ts';
import { clientOf, openSession } from '../session.ts';

export const whoamiCommand = command(
  'whoami',
  'show the account in use, its id and what it may still etch today',
  {
    input: SERVICE,
    examples: ['svc whoami', 'svc whoami --json | jq .etches.remaining'],
    async run(given, context) {
      const { client, profileName, profile } = openSession(given, context.env);
      const [user, limits] = [await client.me(), await client.limits()];
      const { account, etches } = limits;
      const words = [
        `${user.username} (${user.display_name}) at ${client.origin}`,
        `id        ${user.id}`,
        `account   ${account.kind}, ${account.assurance}`,
        `etches    ${Math.floor(etches.remaining)} of ${etches.per_day} left, plus ${etches.refill_per_hour.toFixed(1)} an hour`,
        ...(profile === undefined ? [] : [`profile   ${profileName}`]),
      ];
      return { value: { user, ...limits, service: client.origin }, words };
    },
  },
);

export const renameCommand = command('rename', 'change the display name; the username stays', {
  input: { ...SERVICE, '<name>': 'the display name, at most 64 characters' },
  examples: ['svc rename "Heron watcher"'],
  async run(given, context) {
    const user = await clientOf(given, context).rename(given.name);
    return { value: { user }, words: [`${user.username} is shown as ${user.display_name}`] };
  },
});

export const keysCommand = group('keys', 'list, issue and revoke API keys', [
  command('list', 'list the account’s keys', {
    input: SERVICE,
    examples: ['svc keys list'],
    async run(given, context) {
      const keys = await clientOf(given, context).keys.list();
      const words = keys.map(({ id, name, scope, prefix, revoked_at }) =>
        [id, scope.padEnd(5), `${prefix}…`, name, revoked_at === null ? '' : `revoked ${revoked_at}`]
          .join('  ')
          .trimEnd(),
      );
      return { value: { keys }, words, none: 'This account has no API keys.' };
    },
  }),
  command('create', 'issue a key and print it; the key is shown only once', {
    input: {
      ...SERVICE,
      '<name>': 'a name for the key, at most 64 characters',
      '--write': flag('allow writing (default: read only)'),
    },
    examples: ['svc keys create "nightly report"', 'svc keys create deploy --write'],
    async run(given, context) {
      const scope = given.write ? 'write' : 'read';
      const { key, apiKey } = await clientOf(given, context).keys.create(given.name, { scope });
      if (!given.write) say(context, 'This key only reads. To etch with a key, create it with --write.');
      return { value: { key, api_key: apiKey }, words: [apiKey] };
    },
  }),
  command('revoke', 'revoke a key at once', {
    input: { ...SERVICE, '<id>': 'the key’s id' },
    examples: ['svc keys revoke <id from svc keys list>'],
    async run(given, context) {
      const key = await clientOf(given, context).keys.revoke(given.id);
      return { value: { key }, words: [`revoked ${key.name} (${key.prefix}…)`] };
    },
  }),
]);

export const profileCommand = group(
  'profile',
  'list the accounts on this machine, or choose the one in use',
  [
    command('list', 'list the profiles; * is the one in use', {
      input: JSON_OUTPUT,
      run(_, { env }) {
        const { current, profiles } = readProfiles(profilesPath(env));
        const found = Object.entries(profiles).map(([name, { base_url, username = null }]) => ({
          name,
          base_url,
          username,
          current: name === current,
        }));
        const words = found.map(
          (one) => `${one.current ? '*' : ' '} ${one.name}  ${one.username ?? '-'}  ${one.base_url}`,
        );
        const none = 'There are no profiles yet; svc register makes one.';
        return { value: { profiles: found }, words, none };
      },
    }),
    command('use', 'make a profile the one in use', {
      input: { ...JSON_OUTPUT, '<name>': '' },
      run({ name }, { env }) {
        useProfile(profilesPath(env), name);
        return { value: { current: name }, words: [`${name} is the profile in use`] };
      },
    }),
  ],
);
