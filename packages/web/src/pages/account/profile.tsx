import { DISPLAY_NAME_MAX, type Limits, type Me } from '@svc/contract';
import { Done, type FormProblem, LineEntry, ProblemSummary, Submit, told } from '../../parts/form.tsx';
import { Day, Fact, Facts, Text } from '../../parts/values.tsx';
import type { Page, Site } from '../../site.ts';
import { accountFrame } from './frame.tsx';
import { countText, spanText } from '../../format.ts';

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

export function profilePage(site: Site, { user, displayName, problem: refused, done }: ProfileData): Page {
  const problem = told(refused, NAMES);
  return accountFrame(
    site,
    '/account',
    { title: 'Profile', failed: problem !== undefined },
    <>
      {done && <Done>{PROFILE_DONE[done]}</Done>}
      <ProblemSummary problem={problem} />
      {user && (
        <Facts>
          <Fact label="Username">
            <a href={`/u/${user.username}`}>@{user.username}</a>
            <br />
            <span class="quiet">Your public record. The name cannot be changed.</span>
          </Fact>
          <Fact label="Account id" value={<code>{user.id}</code>} />
          <Fact label="Here since" value={<Day at={user.created_at} />} />
        </Facts>
      )}
      <form method="post" action="/account/name" noValidate>
        <LineEntry
          name="display_name"
          label="Display name"
          hint={`Shown next to your username; at most ${DISPLAY_NAME_MAX} characters. No hash contains it.`}
          value={displayName ?? user?.display_name ?? ''}
          problem={problem}
        />
        <Submit>Change the name</Submit>
      </form>
      {user && <Social user={user} />}
      {user && <Export />}
      {user && <SignOut />}
    </>,
  );
}

function Social({ user }: { user: Me }) {
  return (
    <section>
      <h2>Social account</h2>
      <p>
        {user.social_handle ? (
          <>
            Linked:{' '}
            <strong>
              @<Text>{user.social_handle}</Text>
            </strong>
            {user.social_verified_at ? (
              <>
                , confirmed on <Day at={user.social_verified_at} />. Your etches are marked as verified.
              </>
            ) : (
              ', but not confirmed by the identity provider.'
            )}
          </>
        ) : (
          'None is linked. Link one at the identity provider, then read it here: your etches are marked as verified, and your daily limits rise.'
        )}
      </p>
      <form method="post" action="/account/social">
        <p class="actions">
          <button type="submit" class="secondary">
            Read it from the identity provider
          </button>
        </p>
      </form>
    </section>
  );
}

function Export() {
  return (
    <section>
      <h2>Download your record</h2>
      <p>
        A file with one line of JSON for each of your etches, with its receipt. Anyone can check the receipts
        without this service. The last line says how many etches there are; a file without it is incomplete.
      </p>
      <p class="actions">
        <a class="button secondary" href="/account/export" download>
          Download record and receipts
        </a>
      </p>
    </section>
  );
}

function SignOut() {
  return (
    <section>
      <h2>Signed in</h2>
      <form method="post" action="/sign-out">
        <p class="actions">
          <button type="submit" class="secondary">
            Sign out of this browser
          </button>
        </p>
      </form>
    </section>
  );
}

type Allowance = Limits['etches'];

interface LimitsData {
  account: Limits['account'];
  etches: Allowance;
  challenges: Allowance;
}

export function limitsPage(site: Site, { account, etches, challenges }: LimitsData): Page {
  return accountFrame(
    site,
    '/account/limits',
    { title: 'Limits' },
    <>
      <p>
        {account.verified
          ? 'Your social account is confirmed: you have the higher allowance.'
          : 'With a confirmed social account you can make more etches.'}{' '}
        Your allowance refills little by little, not at midnight.
      </p>
      <Meter name="etches" one="etch" allowance={etches} />
      <Meter name="challenges" one="challenge" allowance={challenges} />
      <p class="quiet">
        Reading these pages uses none of it. Programs with an API key also have a limit of requests a minute.
        Each answer says what is left in <code>X-RateLimit-Remaining</code>.
      </p>
    </>,
  );
}

function Meter({ name, one, allowance }: { name: string; one: string; allowance: Allowance }) {
  const { per_day: perDay, remaining, refill_per_hour: perHour } = allowance;
  return (
    <section class="meter">
      <h2 id={name}>{name === 'etches' ? 'Etches' : 'Challenges'}</h2>
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
