import { DISPLAY_NAME_MAX, type Me } from '@svc/contract';
import { Done, type FormProblem, LineEntry, PostForm, Submit, problemText } from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { facts, onDay, safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ownAccountPage } from './account-frame.tsx';
import { findAccount, renameAccount } from '../../../accounts/store.ts';
import { meView } from '../../../accounts/view.ts';
import { Failure } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { checked, filled, type FormFields, formsOf, readForForm } from '../form.ts';
import { callerOf, sessionOf } from '../session.ts';
import { keyIn, siteFor } from '../site.ts';

export function mountProfilePage(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, identity } = deps;

  const show = async (request: FastifyRequest, more: Partial<Parameters<typeof profilePage>[1]> = {}) => {
    const user = await readForForm(more.problem, async () =>
      meView((await findAccount(db, callerOf(request).userId))!),
    );
    return profilePage(siteFor(deps, request), { user, ...more });
  };

  pages.get<{ Querystring: { done?: string; away?: string } }>('/account', async (request) => {
    callerOf(request);
    if (request.query.away === '1') return show(request, { problem: { message: AWAY } });
    const done = keyIn(PROFILE_DONE, request.query.done);
    return show(request, done && { done });
  });

  const post = formsOf(pages, show);
  const rename = async (request: FastifyRequest, form: FormFields): Promise<string> => {
    const { userId } = callerOf(request);
    const body = checked(request, 'updateMe', filled(form, 'display_name'));
    await renameAccount(db, userId, body.display_name);
    return '/account?done=name';
  };
  post('/account/name', rename, (form) => ({ displayName: form['display_name'] ?? '' }));

  post('/account/social', async (request) => {
    const session = sessionOf(request);
    try {
      const token = await session.token();
      if (token === undefined) throw tooOld();
      await identity.social.sync(session.caller, token);
      return '/account?done=social';
    } catch (error) {
      // The identity provider does not answer, but this page works.
      if (error instanceof Failure && error.code === 'service_unavailable') return '/account?away=1';
      throw error;
    }
  });
}

const AWAY =
  'the identity provider gave no answer. Nothing was changed, and you stay signed in: try again later';

/** The issuer returns claims only for a valid token. */
function tooOld(): Failure {
  return new Failure(
    'forbidden',
    'the identity provider cannot be reached, or your sign-in is too old for it. Nothing was changed: try again later, or sign out and in again',
  );
}

const PROFILE_DONE = {
  name: 'Your display name is changed on all your etches.',
  social: 'The social account was read again from the identity provider.',
} as const;

interface ProfileData {
  /** absent after the session ended, or if the account cannot be read */
  user: Me | undefined;
  displayName?: string | undefined;
  problem?: FormProblem | undefined;
  done?: keyof typeof PROFILE_DONE | undefined;
}

const NAMES = { display_name: { subject: 'The display name', missing: 'Write a display name' } };

export function profilePage(site: Site, { user, displayName, problem, done }: ProfileData): Page {
  return ownAccountPage(
    site,
    '/account',
    { title: 'Profile', problem: problemText(problem, NAMES) },
    done && <Done>{PROFILE_DONE[done]}</Done>,
    user &&
      facts(
        [
          'Username',
          <a href={`/u/${user.username}`}>@{user.username}</a>,
          <br />,
          <span class="quiet">Your public record. The username cannot be changed.</span>,
        ],
        ['Account id', <code>{user.id}</code>],
        ['Here since', onDay(user.created_at)],
      ),
    <PostForm action="/account/name" noValidate>
      <LineEntry
        name="display_name"
        label="Display name"
        hint={`Shown next to your username; at most ${DISPLAY_NAME_MAX} characters. You can change it at any time.`}
        value={displayName ?? user?.display_name ?? ''}
      />
      <Submit>Save the display name</Submit>
    </PostForm>,
    user && (
      <>
        <section>
          <h2>Social account</h2>
          <p>{socialText(user)}</p>
          <PostForm action="/account/social">
            <Submit kind="secondary">Update from the identity provider</Submit>
          </PostForm>
        </section>
        <section>
          {prose`
            ## Download your record

            A file with one line of JSON for each of your etches, with its receipt. Anyone can check the receipts
            without this service. The last line says how many etches there are; a file without it is incomplete.
          `}
          <p class="actions">
            <a class="button secondary" href="/account/export" download>
              Download record and receipts
            </a>
          </p>
        </section>
        <section>
          <h2>Sign out</h2>
          <PostForm action="/sign-out">
            <Submit kind="secondary">Sign out of this browser</Submit>
          </PostForm>
        </section>
      </>
    ),
  );
}

function socialText({ social_handle: handle, social_verified_at: confirmed }: Me) {
  if (!handle)
    return say`
      None is linked. Link a social account at the identity provider, then update it here. Your etches are then marked
      as verified, and your [daily limit](/account/limits) rises.
    `;
  return say`
    Linked: **@${safe(handle)}**${
      confirmed
        ? say`, confirmed on ${onDay(confirmed)}. Your etches are marked as verified.`
        : ', but not confirmed by the identity provider.'
    }
  `;
}
