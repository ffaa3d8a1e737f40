// Used by the account pages: tabs, cards, and a value that is shown once.
import type { ComponentChildren } from 'preact';
import { narrowPage } from '@svc/web/layout';
import { Button, PostForm, type ToldProblem } from '@svc/web/parts/form';
import { List, Tabs } from '@svc/web/parts/lists';
import type { Page, Site, SiteFile } from '@svc/web/site';
import { UNTRANSLATED } from '@svc/web/untranslated';

const TABS = [
  { href: '/account', label: 'Profile' },
  { href: '/account/keys', label: 'Keys' },
  { href: '/account/limits', label: 'Limits' },
  { href: '/account/agents', label: 'Agents' },
  { href: '/account/webhooks', label: 'Webhooks' },
] as const;

export const ownAccountPage = (
  site: Site,
  here: (typeof TABS)[number]['href'],
  frame: { title: string; problem?: ToldProblem | undefined; islands?: readonly SiteFile[] },
  ...content: ComponentChildren[]
): Page =>
  narrowPage(
    site,
    {
      ...frame,
      top: 'Your account',
      unlisted: true,
      section: '/account',
      islands: ['times.js', ...(frame.islands ?? [])],
      tabs: <Tabs label="Your account" tabs={TABS.map((tab) => ({ ...tab, isHere: tab.href === here }))} />,
    },
    ...content,
  );

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
        <code class="exact key-value" {...UNTRANSLATED} data-copy={copy}>
          {value}
        </code>
      </p>
    </section>
  );
}

type ConfirmFormProps = { action: string; button: string; back: string };

export const ConfirmForm = ({ action, button, back }: ConfirmFormProps) => (
  <PostForm action={action}>
    <p class="actions">
      <Button kind="danger">{button}</Button>
      <a href={back}>Keep it</a>
    </p>
  </PostForm>
);
