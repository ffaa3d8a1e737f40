import { Narrow, renderPage } from '../layout.tsx';
import { Sign, SIGNS } from '../parts/sign.tsx';
import type { Page, Site } from '../site.ts';

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
  return renderPage(
    site,
    { title: 'Sign in', description: 'Sign in to write etches of your own.', unlisted: true },
    <Narrow heading="Sign in" lead="To etch, to follow, and to make keys for your own programs.">
      {problem && (
        <div class="problem" role="alert">
          <h2>
            <Sign d={SIGNS.warn} /> {SIGN_IN_PROBLEMS[problem].title}
          </h2>
          <p>{SIGN_IN_PROBLEMS[problem].text}</p>
        </div>
      )}
      {missing ? (
        <Missing site={site} missing={missing} />
      ) : (
        <>
          <p>
            You sign in at {issuer ? <strong>{issuer}</strong> : 'the identity provider'} and come back here.
            This service never sees a password.
          </p>
          <p class="actions">
            <a class="button" href={`/sign-in/start?return=${encodeURIComponent(returnTo)}`}>
              {problem ? 'Try again' : 'Continue to sign in'}
            </a>
            {returnTo !== '/' && <a href={returnTo}>Not now</a>}
          </p>
        </>
      )}
      <section>
        <h2>What needs no sign-in</h2>
        <ul>
          <li>Reading and searching every public record.</li>
          <li>
            Verifying: <a href="/verify">receipts can be checked without this service</a>, and without its
            identity provider.
          </li>
          <li>
            Programs with an API key, and <a href="/docs">agents with their own key</a>. They work even while
            sign-in does not, and signed-in people stay signed in.
          </li>
        </ul>
      </section>
    </Narrow>,
  );
}

function Missing({ site, missing }: { site: Site; missing: NonNullable<SignInData['missing']> }) {
  return (
    <div class="note">
      <p>
        <strong>People cannot sign in here yet:</strong> no identity provider is set up for the pages.
      </p>
      <p>
        The operator sets{' '}
        {missing === 'IDENTITY_ISSUER' ? (
          <>
            <code>IDENTITY_ISSUER</code> to an OpenID Connect issuer and <code>IDENTITY_CLIENT_ID</code> to
            the client registered there
          </>
        ) : (
          <>
            <code>IDENTITY_CLIENT_ID</code> to the client registered at the issuer that{' '}
            <code>IDENTITY_ISSUER</code> names
          </>
        )}
        , with the redirect address <code>{site.baseUrl}/sign-in/callback</code>. For trying things on one
        machine, <code>IDENTITY_EMBEDDED=true</code> starts an identity provider that asks only for a name.
      </p>
    </div>
  );
}

interface SignedOutData {
  atIssuer: boolean;
}

export function signedOutPage(site: Site, { atIssuer }: SignedOutData): Page {
  return renderPage(
    site,
    { title: 'Signed out', description: 'You are signed out.', unlisted: true },
    <Narrow heading="You are signed out" lead="This browser no longer has a session here.">
      {atIssuer && (
        <p class="note">
          You may still be signed in at the identity provider.{' '}
          <a href="/sign-out/issuer">Sign out there too</a>
        </p>
      )}
      <p class="actions">
        <a class="button" href="/sign-in">
          Sign in again
        </a>
        <a href="/">Home</a>
      </p>
    </Narrow>,
  );
}
