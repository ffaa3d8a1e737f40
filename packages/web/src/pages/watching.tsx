import type { Watching } from '@svc/contract';
import { Narrow, renderPage } from '../layout.tsx';
import { ChallengeList } from '../parts/challenge-card.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import type { ListOutcomes } from '../questions.ts';
import type { Page, Site } from '../site.ts';
import { countText } from '../format.ts';

export function watchingPage(site: Site, watching: Watching, outcomes?: ListOutcomes): Page {
  const { counts } = watching;
  return renderPage(
    site,
    {
      title: 'Watching',
      description: 'What you watch',
      unlisted: true,
      section: '/watching',
      islands: ['times.js'],
    },
    <Narrow heading="Watching" lead="The etches and challenges you follow, soonest to open first.">
      {counts.pending + counts.challenges + counts.settled === 0 ? (
        <Nothing />
      ) : (
        <Watched site={site} watching={watching} outcomes={outcomes} />
      )}
    </Narrow>,
  );
}

function Nothing() {
  return (
    <div class="empty">
      <p>You watch nothing yet.</p>
      <p>
        Follow an etch or a challenge on its page, and wait for it here:{' '}
        <a href="/search?status=sealed">sealed etches</a>, <a href="/challenges">open challenges</a>.
      </p>
    </div>
  );
}

function Watched({
  site,
  watching: { pending, settled, challenges, counts },
  outcomes,
}: {
  site: Site;
  watching: Watching;
  outcomes: ListOutcomes | undefined;
}) {
  return (
    <>
      <section>
        <h2>{countText(counts.pending, 'etch')} still sealed</h2>
        <EtchList
          site={site}
          etches={pending}
          empty="You follow no sealed etch. Follow one on its page, and wait for it here."
        />
      </section>
      <section>
        <h2>{countText(counts.challenges, 'challenge')}</h2>
        <ChallengeList challenges={challenges} outcomes={outcomes} empty="You follow no challenge." />
      </section>
      <section>
        <h2>{countText(counts.settled, 'etch')} open or retracted</h2>
        <EtchList site={site} etches={settled} empty="Nothing you follow has opened yet." />
      </section>
    </>
  );
}
