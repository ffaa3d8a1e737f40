import { DISPLAY_NAME_MAX, type Limits, type Me } from '@svc/contract';
import { countText, spanText } from '@svc/web/format';
import { Done, type FormProblem, LineEntry, PostForm, Submit, problemText } from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { facts, onDay, safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { ownAccountPage } from './frame.tsx';

export const PROFILE_DONE = {
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
          <span class="quiet">Your public record. The name cannot be changed.</span>,
        ],
        ['Account id', <code>{user.id}</code>],
        ['Here since', onDay(user.created_at)],
      ),
    <PostForm action="/account/name" noValidate>
      <LineEntry
        name="display_name"
        label="Display name"
        hint={`Shown next to your username; at most ${DISPLAY_NAME_MAX} characters. No hash contains it.`}
        value={displayName ?? user?.display_name ?? ''}
      />
      <Submit>Change the name</Submit>
    </PostForm>,
    user && (
      <>
        <section>
          <h2>Social account</h2>
          <p>{socialText(user)}</p>
          <PostForm action="/account/social">
            <Submit kind="secondary">Read it from the identity provider</Submit>
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
          <h2>Signed in</h2>
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
    return 'None is linked. Link one at the identity provider, then read it here: your etches are marked as verified, and your daily limits rise.';
  return say`
    Linked: **@${safe(handle)}**${
      confirmed
        ? say`, confirmed on ${onDay(confirmed)}. Your etches are marked as verified.`
        : ', but not confirmed by the identity provider.'
    }
  `;
}

type Allowance = Limits['etches'];

type LimitsData = Pick<Limits, 'account' | 'etches'> & { challenges: Allowance };

export function limitsPage(site: Site, { account, etches, challenges }: LimitsData): Page {
  return ownAccountPage(
    site,
    '/account/limits',
    { title: 'Limits' },
    prose`
      ${
        account.verified
          ? 'Your social account is confirmed: you have the higher allowance.'
          : 'With a confirmed social account you can make more etches.'
      }
      Your allowance refills little by little, not at midnight.
    `,
    meter('etches', etches),
    meter('challenges', challenges),
    <p class="quiet">
      {say`
        Reading these pages uses none of it. Programs with an API key also have a limit of requests a minute.
        Each answer says what is left in ~X-RateLimit-Remaining~.
      `}
    </p>,
  );
}

const METERS = { etches: ['Etches', 'etch'], challenges: ['Challenges', 'challenge'] } as const;

function meter(name: keyof typeof METERS, allowance: Allowance) {
  const { per_day: perDay, remaining, refill_per_hour: perHour } = allowance;
  const [heading, one] = METERS[name];
  return (
    <section class="meter">
      <h2 id={name}>{heading}</h2>
      <p class="meter-words">
        <strong>{countText(remaining, one)}</strong> of {perDay.toLocaleString('en')} left
      </p>
      <meter min={0} max={Math.max(1, perDay)} value={remaining} aria-labelledby={name}>
        {remaining} of {perDay}
      </meter>
      <p class="quiet">
        {perHour > 0
          ? `You get one more every ${spanText(3_600_000 / perHour)}, up to ${perDay.toLocaleString('en')}.`
          : 'The operator allows none.'}
      </p>
    </section>
  );
}
