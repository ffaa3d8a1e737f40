import type { ChallengeCounts, ChallengeDetail, Etch } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { cut, inertLine } from '../inert.ts';
import { Glyph } from '../parts/glyph.tsx';
import { onDay, safe } from '../parts/values.tsx';
import { erasedWords, hiddenUntil, standingOf } from '../proven.ts';
import { blindHeadline, blindSealOf, blindWords } from '../blind-seal.ts';
import { isDevnet, type Site, SITE_NAME } from '../site.ts';
import { nameOf } from '../names.ts';
import { titleOf } from '../title.ts';
import { wordsText } from '../words-text.ts';
import { challengeResult, challengeStanding } from '../challenge-standing.ts';
import { questionText, type ShownOutcome } from '../questions.ts';
import { Distribution } from '../parts/distribution.tsx';
import type { Said } from '../said.ts';
import { countText } from '../format.ts';

export interface EmbedParts {
  style: string;
  styleHash: string;
}

/** Any site may frame it. It may run no script and send no request. */
export const embedPolicy = ({ styleHash }: EmbedParts): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');

export function embedPage(site: Site, etch: Etch, { style }: EmbedParts): string {
  const standing = standingOf(etch, { devnet: false });
  const seal = blindSealOf(etch, site);
  const title = cut(inertLine(titleOf(etch)), 120);
  return embedFrame(
    { title, url: etch.url, tone: seal ? 'sealed' : standing.tone, region: 'The etch', style },
    <>
      <p class="state">
        <Glyph name={seal ? 'sealed' : standing.glyph} />{' '}
        <span>{seal ? blindHeadline(seal, site) : standing.headline}</span>
      </p>
      <h1>
        <Out href={etch.url}>{safe(titleOf(etch))}</Out>
      </h1>
      {seal && <p class="absent">{blindWords(seal)}</p>}
      {etch.content !== null && !seal && <p class="words">{safe(wordsText(etch.content))}</p>}
      {etch.status === 'sealed' && <p class="absent">{hiddenUntil(etch.reveal_at)}</p>}
      {etch.status === 'retracted' && <p class="absent">{erasedWords(etch)}</p>}
      {(etch.content === null || seal) && (
        <p class="hash">
          <span>Hash</span> <code>{etch.hash}</code>
        </p>
      )}
      {isDevnet(site) && (
        <p class="devnet">For testing only: whoever runs this development chain can rewrite it.</p>
      )}
    </>,
    <p class="foot">
      <span>
        {safe(nameOf(etch.author))} @{etch.author.username}, {onDay(etch.created_on)}
      </span>
      <span>
        <Out href={etch.verify_url}>Verify it yourself</Out> · {SITE_NAME}
      </span>
    </p>,
  );
}

type EmbedFrameBeside = { title: string; url: string; tone: string; region: string; style: string };

export function embedFrame(
  beside: EmbedFrameBeside,
  told: ComponentChildren,
  foot: ComponentChildren,
): string {
  const { title, url, tone, region, style } = beside;
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · ${SITE_NAME}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="canonical" href={url} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body class={tone}>
        <main>
          {/* The words scroll if they do not fit, also by keyboard. The foot stays visible. */}
          <div class="told" role="region" aria-label={region} tabindex={0}>
            {told}
          </div>
          {foot}
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>\n${html}\n`;
}

/** Opens outside the frame, so that the other site's page stays. */
export function Out({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

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
        <Out href={url}>{safe(questionText(question))}</Out>
      </h1>
      {said && <Distribution said={said} outcome={outcome} question={question} />}
      {isDevnet(site) && <p class="devnet">On a development chain, which proves nothing to others.</p>}
    </>,
    <p class="foot">
      <span>
        asked by {safe(nameOf(creator))} @{creator.username}, {countText(counts.etches, 'answer')}
      </span>
      <span>
        <Out href={url}>All answers</Out> · {SITE_NAME}
      </span>
    </p>,
  );
}
