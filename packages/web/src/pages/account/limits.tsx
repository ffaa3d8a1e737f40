import type { Limits } from '@svc/contract';
import type { Page, Site } from '../../site.ts';
import { countText, spanText } from '../../format.ts';
import { accountFrame } from './frame.tsx';

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
