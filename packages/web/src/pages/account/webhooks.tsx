import { type Delivery, EVENT_TYPES, type Webhook } from '@svc/contract';
import {
  Choices,
  Done,
  type FormProblem,
  LineEntry,
  ProblemSummary,
  Submit,
  told,
} from '../../parts/form.tsx';
import { Text, TextLink, Time } from '../../parts/values.tsx';
import type { Page, Site } from '../../site.ts';
import { accountFrame, ConfirmForm, OwnCards, ShownOnce } from './frame.tsx';
import { countText } from '../../format.ts';
import { List } from '../../parts/lists.tsx';

interface WebhooksData {
  /** absent after the session ended, or if they cannot be read */
  webhooks?: readonly Webhook[] | undefined;
  off?: boolean;
  /** its secret is shown only this once */
  made?: { url: string; secret: string } | undefined;
  removed?: boolean;
  typed?: { url: string; types: readonly string[] } | undefined;
  problem?: FormProblem | undefined;
}

const NAMES = {
  url: { subject: 'The address', missing: 'Say where events are sent' },
  types: { subject: 'The events', missing: 'Choose at least one event' },
};

const EVENT_WORDS: Readonly<Record<(typeof EVENT_TYPES)[number], string>> = {
  'etch.anchored': 'An etch is anchored',
  'etch.revealed': 'A sealed etch opens',
  'etch.retracted': 'An etch is retracted',
  'etch.resolved': 'Your own forecast is resolved',
  'challenge.closed': 'A challenge closes',
  'challenge.resolved': 'A challenge that you answered is resolved',
};

export function webhooksPage(site: Site, data: WebhooksData): Page {
  const { webhooks, off, made, removed, typed } = data;
  const problem = told(data.problem, NAMES);
  return accountFrame(
    site,
    '/account/webhooks',
    { title: 'Webhooks', failed: problem !== undefined, islands: ['copy.js', 'times.js'] },
    <>
      {removed && <Done>The webhook is removed: nothing is sent to it any more.</Done>}
      {made && (
        <ShownOnce title="The secret of your new webhook" value={made.secret} copy="secret">
          . With it, your program checks that what arrives at <Text>{made.url}</Text> is from this service.
        </ShownOnce>
      )}
      <ProblemSummary problem={problem} />
      <p>
        A webhook sends what happens to your etches and challenges to an address of yours.{' '}
        <a href="/docs/webhooks">What we send, and how to check the signature</a>
      </p>
      {off ? (
        <p class="empty">
          Webhooks are off here. <a href="/docs">The list of events</a> has the same events.
        </p>
      ) : (
        <>
          <OwnCards items={webhooks} empty="You have no webhook." heading="Your webhooks">
            {(webhook) => (
              <>
                <h3>
                  <TextLink href={`/account/webhooks/${webhook.id}`}>{webhook.url}</TextLink>
                </h3>
                <p class="quiet">
                  <Standing webhook={webhook} />
                </p>
              </>
            )}
          </OwnCards>
          <section>
            <h2>Add a webhook</h2>
            <form method="post" action="/account/webhooks" noValidate>
              <LineEntry
                name="url"
                label="Address"
                hint="Where events are sent: https, a public host name."
                value={typed?.url ?? ''}
                problem={problem}
                mono
              />
              <Choices name="types" legend="Send an event when">
                {EVENT_TYPES.map((type) => (
                  <label class="mode">
                    <input type="checkbox" name={type} checked={typed?.types.includes(type) ?? true} />
                    <span>{EVENT_WORDS[type]}</span>
                  </label>
                ))}
              </Choices>
              <Submit>Add the webhook</Submit>
            </form>
          </section>
        </>
      )}
    </>,
  );
}

function Standing({ webhook }: { webhook: Webhook }) {
  if (webhook.disabled_at !== null)
    return (
      <>
        Disabled on <Time at={webhook.disabled_at} />: <Text>{webhook.disabled_reason ?? ''}</Text>
      </>
    );
  if (webhook.paused_at !== null)
    return (
      <>
        Paused since <Time at={webhook.paused_at} />: what happens waits
      </>
    );
  if (webhook.failing_since !== null)
    return (
      <>
        Nothing has arrived since <Time at={webhook.failing_since} />
      </>
    );
  if (webhook.last_delivered_at === null) return <>No deliveries yet</>;
  return (
    <>
      Works; last sent to it on <Time at={webhook.last_delivered_at} />
    </>
  );
}

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
