import { command, type InputOf, otherwise, read } from '../command.ts';
import { type Context, say, type Shown } from '../context.ts';
import { ApiError, type Client, type IdentityFacts } from '@svc/sdk';
import { serviceFactsAt, requireServiceAt } from '../service-requests.ts';
import { checkWritable } from '../config-folder.ts';
import { awayError, CommandError, EXIT, usageError } from '../exit.ts';
import { count, httpUrl, SERVICE } from '../options.ts';
import { isLoopback } from '../loopback.ts';
import { contact } from '../pins.ts';
import { changeProfile, profilesPath } from '../profiles.ts';
import { openSession } from '../session.ts';
import { signIn } from '../sign-in.ts';

const INPUT = {
  ...SERVICE,
  '--issuer <url>': read(httpUrl, 'the identity provider (default: the service’s)'),
  '--client-id <id>': 'the client id of svc at the identity provider (default: the service’s)',
  '--resource <name>': 'the audience of the session (default: the service’s)',
  '--port <number>': read(count, 'local port that the browser returns to (default: a free one)'),
  '--timeout <seconds>': otherwise(
    300,
    read(count, `stop waiting after this time (exit status ${EXIT.wait})`),
  ),
};
type LoginOptions = InputOf<typeof INPUT>;

export const loginCommand = command('login', 'sign a person in through the service’s identity provider', {
  input: INPUT,
  examples: ['svc login', 'svc login --profile me --base-url https://svc.example.org'],
  run: login,
});

export const logoutCommand = command('logout', 'delete a person’s session from the profile', {
  input: SERVICE,
  examples: ['svc logout'],
  run(options, { env }) {
    const { profile, profileName } = openSession(options, env);
    if (profile?.session === undefined)
      throw usageError(`the profile ${profileName} has no session; svc login signs in`);
    changeProfile(profilesPath(env), profileName, (old) => {
      const { session: _, ...kept } = old ?? profile;
      return kept;
    });
    return { value: { profile: profileName }, words: [`deleted the session of ${profileName}`] };
  },
});

async function login(options: LoginOptions, context: Context): Promise<Shown> {
  const { client, profileName, profile, baseUrl } = openSession(options, context.env);
  if (profile !== undefined && profile.session === undefined && (profile.api_key ?? profile.secret_key))
    throw usageError(`the profile ${profileName} is an agent’s account; choose another name with --profile`);
  // With --issuer the service may be away.
  const facts = await (options.issuer === undefined ? requireServiceAt : serviceFactsAt)(client.origin);
  const identity = chooseIdentity(options, facts?.identity ?? null, client.origin);
  if (options.issuer === undefined && isLoopback(identity.issuer) && !isLoopback(client.origin))
    throw usageError(
      `${client.origin} names an issuer on this machine, ${identity.issuer}; if it is right, name it with --issuer`,
    );
  checkWritable(profilesPath(context.env));
  const pin = await contact(client.origin, context.env);
  const session = await signIn(identity, {
    port: options.port ?? 0,
    timeoutMs: options.timeout * 1000,
    show: (url) => say(context, `Open this in a browser to sign in at ${identity.issuer}:`, url),
  });
  const user = await readAccount(client, session.access_token, identity);
  changeProfile(profilesPath(context.env), profileName, (old) => ({
    ...old,
    base_url: baseUrl,
    username: user.username,
    session,
  }));
  const { pinned, words } = pin();
  return {
    value: { user, profile: profileName, base_url: baseUrl, pinned },
    words: [`Signed in as ${user.username} at ${baseUrl} (profile ${profileName}).`, ...words],
  };
}

async function readAccount(client: Client, token: string, { issuer, resource }: IdentityFacts) {
  try {
    return await client.as(token).me();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new CommandError(
      EXIT.permission,
      `${client.origin} rejects the access token of ${issuer}: ${error.message}. The service accepts signed JSON Web Tokens with the audience ${resource}; only its operator can change the identity provider. Until then, sign in at ${client.origin}/sign-in, make an API key at ${client.origin}/account/keys and set SVC_API_KEY to it.`,
    );
  }
}

function chooseIdentity(options: LoginOptions, named: IdentityFacts | null, origin: string): IdentityFacts {
  const issuer = options.issuer ?? named?.issuer;
  if (issuer === undefined)
    throw awayError(
      `${origin} has no identity provider, so people cannot sign in; register an agent with svc register`,
    );
  const resource = options.resource ?? named?.resource ?? origin;
  // A malicious service could use the session at a different one.
  if (options.resource === undefined && URL.canParse(resource) && new URL(resource).origin !== origin)
    throw new CommandError(
      EXIT.permission,
      `${origin} requests a session for ${resource}; if that is right, confirm it with --resource ${resource}`,
    );
  return {
    issuer,
    clientId: options.clientId ?? named?.clientId ?? 'svc-cli',
    resource,
    scope: named?.scope ?? 'openid profile',
  };
}
