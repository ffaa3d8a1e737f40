import { type IssuerForm, issuerProblemPage, issuerSignInPage } from '../pages/issuer-sign-in.tsx';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { Failure } from '../../platform/failure.ts';
import { type ClientIds, returnAddress, returnSource } from '../../identity/embedded/foreign-clients.ts';
import { EMBEDDED_PATH, type EmbeddedIssuer, SIGN_IN_DAYS } from '../../identity/embedded/issuer.ts';
import { pagePolicy } from '../pages/send.ts';

interface SignInDependencies {
  embedded: EmbeddedIssuer;
  provider: () => Promise<Provider>;
  site: (request: FastifyRequest) => Site;
  ids: ClientIds;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export function mountSignIn(scope: FastifyInstance, deps: SignInDependencies): void {
  const { embedded, provider, site, ids } = deps;
  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction | undefined,
    entered?: Partial<IssuerForm>,
  ): FastifyReply => {
    const page = interaction
      ? issuerSignInPage(site(request), { ...formOf(interaction, ids), ...entered })
      : issuerProblemPage(
          site(request),
          'This sign-in is over',
          'It took too long, or was begun in a different browser: start again.',
        );
    const uri = interaction && redirectUriOf(interaction);
    const headers = issuerHeaders(page, uri === undefined ? uri : returnSource(uri));
    return reply
      .code(interaction && !entered ? 200 : 400)
      .headers(headers)
      .send(page.html);
  };
  void scope.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );

    pages.get('/interaction/:uid', async (request, reply) => {
      return show(request, reply, await find(await provider(), request, reply));
    });

    pages.post('/interaction/:uid', async (request, reply) => {
      const oidc = await provider();
      const interaction = await find(oidc, request, reply);
      if (!interaction) return show(request, reply, interaction);
      const entered = readForm(request.body);
      try {
        const { name } = await embedded.enterByPage(entered);
        const next = await oidc.interactionResult(
          request.raw,
          reply.raw,
          // `prompt=consent` needs both.
          { login: { accountId: name, remember: false }, consent: {} },
          { mergeWithLastSubmission: false },
        );
        return await reply.header('Cache-Control', 'no-store').redirect(next, 303);
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'bad_request') throw error;
        const { username, socialHandle } = entered;
        return show(request, reply, interaction, { username, socialHandle, problem: error.message });
      }
    });
  });
}

/** Returns undefined for a sign-in that ended or began in a different browser. */
async function find(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(request.raw, reply.raw);
    return interaction.uid === (request.params as { uid: string }).uid ? interaction : undefined;
  } catch (error) {
    if ((error as { name?: string }).name === 'SessionNotFound') return undefined;
    throw error;
  }
}

function formOf(interaction: Interaction, ids: ClientIds): IssuerForm {
  const { uid, params } = interaction;
  const program = programOf(interaction, ids);
  return {
    action: `${EMBEDDED_PATH}/interaction/${uid}`,
    ...(program && { program }),
    ...(typeof params['login_hint'] === 'string' && { username: params['login_hint'] }),
  };
}

function programOf(interaction: Interaction, ids: ClientIds): IssuerForm['program'] {
  const id = interaction.params['client_id'];
  const uri = redirectUriOf(interaction);
  if (typeof id !== 'string' || uri === undefined) return undefined;
  const about = { returnsTo: returnAddress(uri), days: SIGN_IN_DAYS };
  if (URL.canParse(id)) return { name: new URL(id).hostname, ...about };
  const registered = ids.read(id);
  return registered && { name: registered.client_name ?? 'A program', ...about };
}

function redirectUriOf({ params }: Interaction): string | undefined {
  const redirectUri = params['redirect_uri'];
  return typeof redirectUri === 'string' ? redirectUri : undefined;
}

function readForm(body: unknown): { username: string; socialHandle: string; forgetSocial: boolean } {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  return {
    username: form.get('username') ?? '',
    socialHandle: form.get('social_handle')?.trim() ?? '',
    forgetSocial: form.get('forget_social') === '1',
  };
}

/** For oidc-provider too, which answers without Fastify. */
export const issuerHeaders = (page: Page, returnsTo?: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': pagePolicy(page, returnsTo),
  'Cache-Control': 'no-store',
  // Without a referrer, browsers send the form with the origin `null`.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});
