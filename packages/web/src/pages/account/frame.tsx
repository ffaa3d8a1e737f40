import type { ComponentChildren } from 'preact';
import { Narrow, renderPage } from '../../layout.tsx';
import type { Page, Site, SiteFile } from '../../site.ts';
import { List, Tabs } from '../../parts/lists.tsx';

const TABS = [
  { href: '/account', label: 'Profile' },
  { href: '/account/keys', label: 'Keys' },
  { href: '/account/limits', label: 'Limits' },
  { href: '/account/agents', label: 'Agents' },
  { href: '/account/webhooks', label: 'Webhooks' },
] as const;

export function accountFrame(
  site: Site,
  here: (typeof TABS)[number]['href'],
  { title, failed = false, islands = [] }: { title: string; failed?: boolean; islands?: readonly SiteFile[] },
  content: ComponentChildren,
): Page {
  return renderPage(
    site,
    {
      title: failed ? `Not done yet: ${title}` : title,
      description: title,
      unlisted: true,
      section: '/account',
      islands: ['times.js', ...islands],
    },
    <Narrow top="Your account" heading={title}>
      <Tabs label="Your account" tabs={TABS.map((tab) => ({ ...tab, isHere: tab.href === here }))} />
      {content}
    </Narrow>,
  );
}

interface OwnCardsProps<Item> {
  items: readonly Item[] | undefined;
  empty: string;
  heading: string;
  children: (item: Item) => ComponentChildren;
}

/** Nothing if the items cannot be read. */
export function OwnCards<Item>({ items, empty, heading, children }: OwnCardsProps<Item>) {
  if (!items) return null;
  return (
    <>
      {items.length > 0 && <h2 class="visually-hidden">{heading}</h2>}
      <List of={items} empty={empty}>
        {(item) => <article class="card">{children(item)}</article>}
      </List>
    </>
  );
}

type ShownOnceProps = { title: ComponentChildren; value: string; copy: string; children: ComponentChildren };

export function ShownOnce({ title, value, copy, children }: ShownOnceProps) {
  return (
    <section class="standing revealed" aria-labelledby="made">
      <h2 id="made">
        <span>{title}</span>
      </h2>
      <p>
        Copy it now: <strong>it is shown this once</strong>
        {children}
      </p>
      <p>
        <code class="exact key-value" data-copy={copy}>
          {value}
        </code>
      </p>
    </section>
  );
}

type ConfirmFormProps = { action: string; button: string; back: string };

export function ConfirmForm({ action, button, back }: ConfirmFormProps) {
  return (
    <form method="post" action={action}>
      <p class="actions">
        <button type="submit" class="danger">
          {button}
        </button>
        <a href={back}>Keep it</a>
      </p>
    </form>
  );
}
