import type { ComponentChildren } from 'preact';
import { narrowPage } from '@svc/web/layout';
import { LineEntry, PostForm, Submit } from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { Sign, SIGNS } from '@svc/web/parts/sign';
import { safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';

export const SIGN_IN_PROBLEMS = {
  unreachable: {
    title: 'Signing in is not possible at the moment',
    text: 'The identity provider cannot be reached. Try again later.',
  },
  refused: {
    title: 'You were not signed in',
    text: 'The identity provider did not confirm who you are, or you cancelled. Nothing was changed here.',
  },
  stale: {
    title: 'This sign-in is over',
    text: 'It took too long, or you started it in a different browser, or you started a second one. Start again.',
  },
} as const;
export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

interface SignInData {
  returnTo: string;
  problem?: SignInProblem | undefined;
  missing?: 'IDENTITY_ISSUER' | 'IDENTITY_CLIENT_ID' | undefined;
  issuer?: string | undefined;
}

export function signInPage(site: Site, { returnTo, problem, missing, issuer }: SignInData): Page {
  return narrowPage(
    site,
    {
      title: 'Sign in',
      description: 'Sign in to write etches of your own.',
      lead: 'To etch, to follow, and to make keys for your own programs.',
      unlisted: true,
    },
    problem && (
      <div class="problem" role="alert">
        <h2>
          <Sign d={SIGNS.warn} /> {SIGN_IN_PROBLEMS[problem].title}
        </h2>
        <p>{SIGN_IN_PROBLEMS[problem].text}</p>
      </div>
    ),
    missing ? (
      <div class="note">{setUpText(site, missing)}</div>
    ) : (
      <>
        {prose`
          You sign in at ${issuer ? <strong>{issuer}</strong> : 'the identity provider'} and come back here.
          This service never sees a password.
        `}
        <p class="actions">
          <a class="button" href={`/sign-in/start?return=${encodeURIComponent(returnTo)}`}>
            {problem ? 'Try again' : 'Continue to sign in'}
          </a>
          {returnTo !== '/' && <a href={returnTo}>Not now</a>}
        </p>
      </>
    ),
    <section>
      {prose`
        ## What needs no sign-in

        - Reading and searching every public record.
        - Verifying: [receipts can be checked without this service](/verify), and without its identity provider.
        - Programs with an API key, and [agents with their own key](/docs). They work even while sign-in does
          not, and signed-in people stay signed in.
      `}
    </section>,
  );
}

const setUpText = (site: Site, missing: NonNullable<SignInData['missing']>) => prose`
  **People cannot sign in here yet:** no identity provider is set up for the pages.

  The operator sets ${
    missing === 'IDENTITY_ISSUER'
      ? say`
          ~IDENTITY_ISSUER~ to an OpenID Connect issuer and ~IDENTITY_CLIENT_ID~ to the client registered there
        `
      : say`
          ~IDENTITY_CLIENT_ID~ to the client registered at the issuer that ~IDENTITY_ISSUER~ names
        `
  }, with the redirect address ~${site.baseUrl}/sign-in/callback~. For trying things on one machine,
  ~IDENTITY_EMBEDDED=true~ starts an identity provider that asks only for a name.
`;

export const signedOutPage = (site: Site, { atIssuer }: { atIssuer: boolean }): Page =>
  narrowPage(
    site,
    {
      title: 'Signed out',
      heading: 'You are signed out',
      description: 'You are signed out.',
      lead: 'This browser no longer has a session here.',
      unlisted: true,
    },
    atIssuer && (
      <p class="note">
        {say`You may still be signed in at the identity provider. [Sign out there too](/sign-out/issuer)`}
      </p>
    ),
    <p class="actions">
      <a class="button" href="/sign-in">
        Sign in again
      </a>
      <a href="/">Home</a>
    </p>,
  );

export interface IssuerForm {
  action: string;
  username?: string;
  socialHandle?: string;
  problem?: string;
  /** a program of a different vendor, which gets the access token */
  program?: { name: string; returnsTo: string; days: number };
}

export function issuerSignInPage(site: Site, form: IssuerForm): Page {
  const { action, username = '', socialHandle = '', problem, program } = form;
  return issuerPage(
    site,
    'Sign in with a name',
    <p class="lead">
      {say`
        For trials only: this sign-in asks for a name and does not check it. The operator sets
        ~IDENTITY_ISSUER~ to use a real identity provider.
      `}
    </p>,
    program &&
      prose`
        **${safe(program.name)}** will act as you here for at most ${program.days} days. It gets the access at
        ~${program.returnsTo}~. Sign in only if you started that program.

        - It can do everything that you can do: read, etch, retract, and change your account.
        - It can create API keys, which stay valid until you revoke them at [your keys](/account/keys), also after
          those days.
      `,
    problem !== undefined && (
      <div class="problem" role="alert">
        <p>
          <Sign d={SIGNS.warn} /> {safe(problem)}
        </p>
      </div>
    ),
    <PostForm class="entries" action={action}>
      <LineEntry
        name="username"
        label="Name"
        value={username}
        input={{ required: true, maxlength: 64, autocomplete: 'username', autofocus: true }}
      />
      <LineEntry
        name="social_handle"
        label="Social handle (optional)"
        hint="Leave it empty to keep your handle."
        value={socialHandle}
        input={{ maxlength: 64 }}
      />
      <p>
        <label class="box-label">
          <input type="checkbox" name="forget_social" value="1" /> I have no social handle any more
        </label>
      </p>
      <Submit>Sign in</Submit>
    </PostForm>,
  );
}

export const issuerProblemPage = (site: Site, title: string, message: string): Page =>
  issuerPage(site, title, <p>{safe(message)}</p>);

const issuerPage = (site: Site, title: string, ...content: ComponentChildren[]): Page =>
  narrowPage(
    site,
    { title, description: 'The built-in identity provider, for trials only.', unlisted: true },
    ...content,
  );
