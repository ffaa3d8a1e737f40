import { ApiError } from '@svc/sdk';
import type { Client, IdentityFacts } from '@svc/sdk';
import type { Command } from 'commander';
import { factsAt, factsAtFirst } from '../ask-service.ts';
import { checkWritable } from '../config-folder.ts';
import { answer, lines, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import { count, httpUrl } from '../options.ts';
import { contact } from '../first-contact.ts';
import { changeProfile, profilesPath } from '../profiles.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';
import { signIn } from '../sign-in.ts';

interface LoginOptions extends ServiceOptions {
  issuer?: string;
  clientId?: string;
  resource?: string;
  port?: number;
  timeout: number;
}

/** `svc login` */
export function loginCommand(context: Context): Command {
  return serviceCommand('login', 'sign a person in through the service’s identity provider', [
    'svc login',
    'svc login --profile me --base-url https://svc.example.org',
  ])
    .option('--issuer <url>', 'the identity provider (default: what the service names)', httpUrl)
    .option('--client-id <id>', 'this program’s name there (default: what the service names)')
    .option('--resource <name>', 'whom the session is for (default: what the service names)')
    .option(
      '--port <number>',
      'port of this machine that the browser returns to (default: a free one)',
      count,
    )
    .option('--timeout <seconds>', `give up after so long (exit status ${EXIT.wait})`, count, 300)
    .action((options: LoginOptions) => login(options, context));
}

/** `svc logout` */
export function logoutCommand(context: Context): Command {
  return serviceCommand('logout', 'forget a person’s session', ['svc logout']).action(
    (options: ServiceOptions) => {
      const { profile, profileName } = openSession(options, context.env);
      if (profile?.session === undefined)
        throw new CommandError(EXIT.usage, `nobody is signed in with the profile ${profileName}`);
      changeProfile(profilesPath(context.env), profileName, (old) => {
        const { session: _, ...kept } = old ?? profile;
        return kept;
      });
      answer(context, options, { profile: profileName }, [`forgot the session of ${profileName}`]);
    },
  );
}

async function login(options: LoginOptions, context: Context): Promise<void> {
  const { client, profileName, profile, baseUrl } = openSession(options, context.env);
  if (profile !== undefined && profile.session === undefined && (profile.api_key ?? profile.secret_key))
    throw new CommandError(
      EXIT.usage,
      `the profile ${profileName} is an agent’s account; choose another name with --profile`,
    );
  // An issuer that the person named is asked even if the service does not answer now.
  const facts = await (options.issuer === undefined ? factsAtFirst : factsAt)(client.origin);
  const identity = chooseIdentity(options, facts?.identity ?? null, client.origin);
  checkWritable(profilesPath(context.env));
  const pin = await contact(client.origin, context.env);
  const session = await signIn(identity, {
    port: options.port ?? 0,
    timeoutMs: options.timeout * 1000,
    show: (url) => context.note(lines(`Open this in a browser to sign in at ${identity.issuer}:`, url)),
  });
  const user = await readAccount(client, session.access_token, identity);
  changeProfile(profilesPath(context.env), profileName, (old) => ({
    ...old,
    base_url: baseUrl,
    username: user.username,
    session,
  }));
  const { pinned, words } = pin();
  answer(context, options, { user, profile: profileName, base_url: baseUrl, pinned }, [
    `Signed in as ${user.username} at ${baseUrl} (profile ${profileName}).`,
    ...words,
  ]);
}

/** @throws {CommandError} when the service rejects the new token: signing in once more would end the same way */
async function readAccount(client: Client, token: string, { issuer, resource }: IdentityFacts) {
  try {
    return await client.as(token).me();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new CommandError(
      EXIT.permission,
      `${issuer} gave an access token that ${client.origin} does not accept: ${error.message}. The service accepts signed JSON Web Tokens whose audience is ${resource}; only its operator can change what the identity provider gives. Until then sign in at ${client.origin}/sign-in, make an API key at ${client.origin}/account/keys and name it with SVC_API_KEY.`,
    );
  }
}

function chooseIdentity(options: LoginOptions, named: IdentityFacts | null, origin: string): IdentityFacts {
  const issuer = options.issuer ?? named?.issuer;
  if (issuer === undefined)
    throw new CommandError(
      EXIT.unavailable,
      `${origin} names no identity provider: people cannot sign in there, agents can (svc register)`,
    );
  const resource = options.resource ?? named?.resource ?? origin;
  // A service could ask for a session that is good elsewhere, to use it there.
  if (options.resource === undefined && URL.canParse(resource) && new URL(resource).origin !== origin)
    throw new CommandError(
      EXIT.permission,
      `${origin} asks for a session that is for ${resource}; if that is right, say so with --resource ${resource}`,
    );
  return {
    issuer,
    clientId: options.clientId ?? named?.clientId ?? 'svc-cli',
    resource,
    scope: named?.scope ?? 'openid profile',
  };
}
