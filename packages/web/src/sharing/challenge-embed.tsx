import { countText } from '../count-text.ts';
import type { ChallengeCounts, ChallengeDetail } from '@svc/contract';
import { challengeResult } from '../challenge-result.ts';
import { challengeStanding } from '../challenge-standing.ts';
import { cut, inertLine } from '../inert.ts';
import { nameOf } from '../names.ts';
import type { ShownOutcome } from '../outcome.ts';
import { Distribution } from '../parts/distribution.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { Text } from '../parts/text.tsx';
import { questionText } from '../question-text.ts';
import type { Said } from '../said.ts';
import { isDevnet, type Site, SITE_NAME } from '../site.ts';
import { embedFrame, type EmbedParts, Out } from './embed.tsx';

export function challengeEmbedPage(
  site: Site,
  { challenge, counts }: { challenge: ChallengeDetail; counts: ChallengeCounts },
  { said, outcome }: { said: Said | undefined; outcome: ShownOutcome | undefined },
  { style }: EmbedParts,
): string {
  const { question, creator } = challenge;
  const url = `${site.baseUrl}/ch/${challenge.id}`;
  const result = challengeResult(question, counts, { outcome, said });
  const { headline, tone, glyph } = challengeStanding(challenge, counts, result);
  return embedFrame(
    { title: cut(inertLine(questionText(question)), 120), url, tone, region: 'The challenge', style },
    <>
      <p class="state">
        <Glyph name={glyph} /> <span>{headline}</span>
      </p>
      <h1>
        <Out href={url}>
          <Text>{questionText(question)}</Text>
        </Out>
      </h1>
      {said && <Distribution said={said} outcome={outcome} question={question} />}
      {isDevnet(site) && <p class="devnet">On a development chain, which proves nothing to others.</p>}
    </>,
    <p class="foot">
      <span>
        asked by <Text>{nameOf(creator)}</Text> @{creator.username}, {countText(counts.etches, 'answer')}
      </span>
      <span>
        <Out href={url}>All answers</Out> · {SITE_NAME}
      </span>
    </p>,
  );
}
