import type { ComponentChildren, VNode } from 'preact';
import { renderPage } from '../../layout.tsx';
import type { Page, Site, SiteFile } from '../../site.ts';

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
    <div class="narrow">
      <header class="page-head">
        <p class="card-top quiet">Your account</p>
        <h1>{title}</h1>
      </header>
      <Tabs here={here} />
      {content}
    </div>,
  );
}

function Tabs({ here }: { here: string }): VNode {
  return (
    <nav class="tabs" aria-label="Your account">
      {TABS.map(({ href, label }) => (
        <a href={href} {...(href === here ? { 'aria-current': 'page' as const } : {})}>
          {label}
        </a>
      ))}
    </nav>
  );
}
