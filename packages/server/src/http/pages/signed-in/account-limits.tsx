import type { Limits } from '@svc/contract';
import { countText, spanText } from '@svc/web/format';
import { prose, say } from '@svc/web/parts/prose';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import { ownAccountPage } from './account-frame.tsx';
import { readBucket } from '../../../accounts/allowance-store.ts';
import { challengeAllowanceView, limitsView } from '../../../accounts/view.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { callerOf } from '../session.ts';
import { siteFor } from '../site.ts';

export function mountLimitsPage(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, config } = deps;

  pages.get('/account/limits', async (request) => {
    const caller = callerOf(request);
    const now = clock.now();
    const [etch, challenge] = await Promise.all([
      readBucket(db, caller.userId, 'etch'),
      readBucket(db, caller.userId, 'challenge'),
    ]);
    const { account, etches } = limitsView(caller, etch, config.limits, now);
    const challenges = challengeAllowanceView(challenge, config.limits, now);
    return limitsPage(siteFor(deps, request), {
      account,
      etches,
      challenges,
      raised: config.limits.etchesVerified,
    });
  });
}

type Allowance = Limits['etches'];

type LimitsData = Pick<Limits, 'account' | 'etches'> & {
  challenges: Allowance;
  /** etches a day with a confirmed social account */
  raised: number;
};

function limitsPage(site: Site, { account, etches, challenges, raised }: LimitsData): Page {
  return ownAccountPage(
    site,
    '/account/limits',
    { title: 'Limits' },
    prose`
      ${
        account.verified
          ? 'Your social account is confirmed: you have the higher allowance.'
          : raised > etches.per_day &&
            `A confirmed social account raises your allowance to ${raised.toLocaleString('en')} etches a day.`
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
