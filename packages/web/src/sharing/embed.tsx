import type { ChallengeCounts, ChallengeDetail } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { cut, safeLine } from '../safe-text.ts';
import { onDay, safe } from '../parts/values.tsx';
import { erasedWords, HIDDEN_WORDS, openedText, proofStatusOf } from '../proof-status.ts';
import { blindHeadline, blindSealOf, blindWords } from '../blind-seal.ts';
import { isDevnet, type Site, SITE_NAME } from '../site.ts';
import { challengeResult, challengeStatus } from '../challenge-status.ts';
import { Distribution } from '../parts/distribution.tsx';
import type { AnswerDistribution } from '../answer-distribution.ts';
import { countText } from '../format.ts';
import {
  nameOf,
  questionText,
  type ShownEtch,
  type ShownOutcome,
  titleOf,
  wordsText,
  writtenAt,
} from '../etch-text.ts';
import { type ForecastResult, resultWords } from '../parts/standings.tsx';
import { Glyph, type GlyphName } from '../parts/tag.tsx';
import { UNTRANSLATED } from '../untranslated.ts';

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

export function embedPage(
  site: Site,
  etch: ShownEtch,
  { style }: EmbedParts,
  result?: ForecastResult,
): string {
  const proof = proofStatusOf(etch, { devnet: false });
  const seal = blindSealOf(etch, site);
  const opened = openedText(etch);
  const { status, content, author } = etch;
  const outcome = result && resultWords(result);
  return embedFrame(site, style, {
    title: titleOf(etch),
    url: etch.url,
    tone: seal ? 'sealed' : proof.tone,
    region: 'The etch',
    glyph: seal ? 'sealed' : opened === null ? proof.glyph : 'revealed',
    state: seal ? blindHeadline(seal, site) : (opened ?? proof.headline),
    content: (
      <>
        {outcome !== undefined && <p>{safe(outcome)}.</p>}
        {seal && <p class="absent">{blindWords(seal)}</p>}
        {content !== null && !seal && (
          <p class="words" {...UNTRANSLATED}>
            {safe(wordsText(content, etch))}
          </p>
        )}
        {status === 'sealed' && <p class="absent">{HIDDEN_WORDS}</p>}
        {status === 'retracted' && <p class="absent">{erasedWords(etch)}</p>}
        {(content === null || seal) && (
          <p class="hash">
            <span>Hash</span> <code {...UNTRANSLATED}>{etch.hash}</code>
          </p>
        )}
      </>
    ),
    devnet: 'For testing only: whoever runs this development chain can rewrite it.',
    by: [authorText(author), ', ', onDay(writtenAt(etch))],
    more: out(etch.verify_url, 'Verify it yourself'),
  });
}

/** The username stands once if the account has no other name. */
const authorText = (author: Parameters<typeof nameOf>[0]) => {
  const handle = `@${author.username}`;
  return nameOf(author) === author.username ? handle : [safe(nameOf(author)), ` ${handle}`];
};

interface Embedded {
  title: string;
  /** the title by default */
  pageTitle?: string;
  url: string;
  tone: string;
  region: string;
  glyph?: GlyphName;
  state: string;
  content: ComponentChildren;
  devnet?: string;
  by: ComponentChildren;
  more: ComponentChildren;
}

export function embedFrame(site: Site, style: string, embedded: Embedded): string {
  const { title, pageTitle = title, url, tone, region, glyph, state, content, by, more } = embedded;
  const { devnet = 'On a development chain, which proves nothing to others.' } = embedded;
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${cut(safeLine(pageTitle), 120)} · ${SITE_NAME}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="canonical" href={url} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body class={tone}>
        <main>
          {/* The words scroll if they do not fit, also by keyboard. The foot stays visible. */}
          <div class="content" role="region" aria-label={region} tabindex={0}>
            <p class="state">
              {glyph && [<Glyph name={glyph} />, ' ']}
              <span>{state}</span>
            </p>
            <h1>{out(url, safe(title))}</h1>
            {content}
            {isDevnet(site) && <p class="devnet">{devnet}</p>}
          </div>
          <p class="foot">
            <span>{by}</span>
            <span>
              {more} · {SITE_NAME}
            </span>
          </p>
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>\n${html}\n`;
}

/** Opens outside the frame, so that the other site's page stays. */
export const out = (href: string, children: ComponentChildren) => (
  <a href={href} target="_blank" rel="noopener">
    {children}
  </a>
);

interface ChallengeResultData {
  distribution: AnswerDistribution | undefined;
  outcome: ShownOutcome | undefined;
  score?: Parameters<typeof challengeResult>[1]['score'];
}

export function challengeEmbedPage(
  site: Site,
  { challenge, counts }: { challenge: ChallengeDetail; counts: ChallengeCounts },
  { distribution, outcome, score }: ChallengeResultData,
  { style }: EmbedParts,
): string {
  const { question, creator } = challenge;
  const url = `${site.baseUrl}/ch/${challenge.id}`;
  const result = challengeResult(question, { outcome, score });
  const { headline, tone, glyph } = challengeStatus(challenge, counts, { result, devnet: isDevnet(site) });
  return embedFrame(site, style, {
    title: questionText(question),
    region: 'The challenge',
    url,
    tone,
    glyph,
    state: headline,
    content: distribution && (
      <Distribution distribution={distribution} outcome={outcome} question={question} />
    ),
    by: ['asked by ', authorText(creator), `, ${countText(counts.etches, 'answer')}`],
    more: out(url, 'All answers'),
  });
}
