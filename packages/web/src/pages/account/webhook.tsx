import type { Delivery, Webhook } from '@svc/contract';
import { type FormProblem, ProblemSummary, told } from '../../parts/form.tsx';
import { Text, Time } from '../../parts/values.tsx';
import type { Page, Site } from '../../site.ts';
import { accountFrame, ConfirmForm } from './frame.tsx';
import { EVENT_WORDS, Standing } from './webhooks.tsx';
import { countText } from '../../format.ts';
import { List } from '../../parts/lists.tsx';

interface WebhookData {
  webhook: Webhook;
  deliveries: readonly Delivery[];
  problem?: FormProblem | undefined;
}

export function webhookPage(site: Site, { webhook, deliveries, problem: refused }: WebhookData): Page {
  const problem = told(refused);
  const at = `/account/webhooks/${webhook.id}`;
  return accountFrame(
    site,
    '/account/webhooks',
    { title: 'Webhook', failed: problem !== undefined, islands: ['times.js'] },
    <>
      <ProblemSummary problem={problem} />
      <article class="card">
        <h2>
          <Text>{webhook.url}</Text>
        </h2>
        <p class="quiet">
          <Standing webhook={webhook} />
        </p>
        <p class="quiet">
          {webhook.types.map((type, at) => (
            <>
              {at > 0 && ' · '}
              {EVENT_WORDS[type]}
            </>
          ))}
        </p>
      </article>
      <div class="actions">
        <form method="post" action={`${at}/ping`}>
          <button type="submit">Send a test</button>
        </form>
        <form method="post" action={`${at}/${webhook.paused_at === null ? 'pause' : 'resume'}`}>
          <button type="submit" class="secondary">
            {webhook.paused_at === null ? 'Pause' : 'Resume'}
          </button>
        </form>
        <a class="button secondary" href={`${at}/remove`}>
          Remove…
        </a>
      </div>
      <section>
        <h2>What was sent</h2>
        <List kind="plain-list" of={deliveries} empty="Nothing was sent yet.">
          {(delivery) => <Sent delivery={delivery} />}
        </List>
      </section>
    </>,
  );
}

function Sent({ delivery }: { delivery: Delivery }) {
  const { type, state, attempts, last_status: status, problem, next_attempt_at: next } = delivery;
  const words = { pending: 'waiting', delivered: 'arrived', failed: 'not received' }[state];
  return (
    <>
      <strong>{type}</strong> <span class="badge">{words}</span>{' '}
      <span class="quiet">
        <Time at={delivery.created_at} /> · {attempts === 0 ? 'not sent yet' : countText(attempts, 'try')}
        {status !== null && <> · HTTP {status}</>}
        {problem !== null && (
          <>
            {' '}
            · the receiver <Text>{problem}</Text>
          </>
        )}
        {next !== null && attempts > 0 && (
          <>
            {' '}
            · again on <Time at={next} />
          </>
        )}
      </span>
    </>
  );
}

export function removeWebhookPage(site: Site, webhook: Webhook): Page {
  const at = `/account/webhooks/${webhook.id}`;
  return accountFrame(
    site,
    '/account/webhooks',
    { title: 'Remove this webhook?' },
    <>
      <article class="card">
        <h2>
          <Text>{webhook.url}</Text>
        </h2>
      </article>
      <p>
        We stop sending to it at once, also what is still waiting, and delete its log. To stop it for a while,{' '}
        <a href={at}>pause it</a> instead.
      </p>
      <ConfirmForm action={`${at}/remove`} button="Remove the webhook" back={at} />
    </>,
  );
}
