import type { ChallengeListItem, Etch } from '@svc/contract';
import { TOPICS } from '@svc/contract';
import { homeCard } from '../cards/card.ts';
import { renderPage } from '../layout.tsx';
import { ChallengeList } from '../parts/challenge-card.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import { SearchBox } from '../parts/filters.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { soon } from '../proven.ts';
import { pictureOf } from '../sharing/preview.ts';
import { type Page, type Site, SITE_NAME } from '../site.ts';

export interface HomeData {
  etches: readonly Etch[];
  challenges: readonly ChallengeListItem[];
}

export function homePage(site: Site, { etches, challenges }: HomeData): Page {
  return renderPage(
    site,
    {
      title: SITE_NAME,
      description:
        'Write it down now, prove later that you did: texts bound to a time, sealed or public, anchored on a public blockchain, checkable without this service.',
      canonical: `${site.baseUrl}/`,
      alternates: [{ type: 'application/json', href: '/' }],
      picture: pictureOf(site, '', homeCard(site)),
    },
    <>
      <section class="hero wide">
        <h1>Write it down now. Prove later that you did.</h1>
        <p class="lead">
          An <em>etch</em> is a text its author commits to: bound to a moment, public at once or sealed until
          a date, and anchored on a public blockchain. It cannot be edited, and nobody has to trust this
          service to check it.
        </p>
        <form action="/search" method="get" role="search">
          <SearchBox />
        </form>
      </section>
      <section class="wide steps" aria-label="How it works">
        <div>
          <Glyph name="sealed" />
          <h2>Commit</h2>
          <p>
            A text, its author, its time and a secret salt become one hash. While a text is sealed, only that
            hash, a description and the day are public.
          </p>
        </div>
        <div>
          <Glyph name="anchored" />
          <h2>Anchor</h2>
          <p>
            Hashes are folded into a tree, and its root is written to the chain within{' '}
            {soon(site.anchorSeconds ?? 60)}. From then on neither text nor time can change unnoticed.
          </p>
        </div>
        <div>
          <Glyph name="pass" />
          <h2>Verify</h2>
          <p>
            Anyone can recompute the hash, fold the proof and read the chain: in the browser, on the command
            line, or with code of their own. <a href="/verify">How to verify without us</a>
          </p>
        </div>
      </section>
      <div class="wide columns">
        <section>
          <h2>Newest public etches</h2>
          <EtchList site={site} etches={etches} empty="Nothing public yet." />
          <p class="more">
            <a href="/search">All etches, sealed ones too →</a>
          </p>
        </section>
        <section>
          <h2>Open challenges</h2>
          <p class="quiet">Sealed questions: everyone answers, nobody sees, all answers open at once.</p>
          <ChallengeList challenges={challenges} empty="No challenge is open at the moment." />
          <p class="more">
            <a href="/challenges">All challenges →</a>
          </p>
          <h2>Topics</h2>
          <ul class="topics">
            {TOPICS.map(({ id, label }) => (
              <li>
                <a href={`/topics/${id}`}>{label}</a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>,
  );
}
