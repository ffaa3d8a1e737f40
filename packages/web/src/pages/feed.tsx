import type { CursorPage, Etch } from '@svc/contract';
import { withQuery } from '../links.ts';
import { renderPage } from '../layout.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import { CursorPager } from '../parts/lists.tsx';
import type { Page, Site } from '../site.ts';

interface FeedData {
  personalized: boolean;
  etches: readonly Etch[];
  page: CursorPage;
}

export function feedPage(
  site: Site,
  { personalized, etches, page }: FeedData,
  { isFirst }: { isFirst: boolean },
): Page {
  return renderPage(
    site,
    { title: 'Your feed', description: 'Your feed', unlisted: true, section: '/feed', islands: ['times.js'] },
    <div class="narrow">
      <header class="page-head">
        <h1>Your feed</h1>
        <p class="quiet">
          New etches and etches that just opened, ranked.{' '}
          {personalized
            ? 'What you follow comes first; accounts that nobody vouches for come last.'
            : 'Follow accounts and topics to see them first.'}{' '}
          <a href="/following">What you follow</a> · <a href="/search">All etches in order of time</a>
        </p>
      </header>
      <h2 class="visually-hidden">Etches</h2>
      <EtchList site={site} etches={etches} empty="Nothing has been etched lately." />
      <CursorPager
        first={isFirst ? null : '/feed'}
        next={page.next_cursor && withQuery('/feed', { cursor: page.next_cursor })}
        older="More"
      />
    </div>,
  );
}
