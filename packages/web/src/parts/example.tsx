import type { Etch } from '@svc/contract';
import type { VNode } from 'preact';
import { soon } from '../proof-status.ts';
import { isDevnet, type Site } from '../site.ts';
import { authorLink } from './author.tsx';
import { prose, say } from './prose.tsx';
import { atTime, onDay, safe, safeLink, shortHash } from './values.tsx';
import { titleOf, wordsText } from '../etch-text.ts';
import { Glyph, type GlyphName } from './tag.tsx';
import { UNTRANSLATED } from '../untranslated.ts';

/** Plain words are a better example than a line of a convention. */
export const chooseExample = (etches: readonly Etch[]): Etch | undefined => {
  const worked = etches.filter(isWorked);
  return worked.find(({ content }) => !content!.startsWith('svc-')) ?? worked[0];
};

/** Only open words that were on the chain before. */
const isWorked = ({ status, content, chain, reveal_at: opened }: Etch): boolean =>
  status === 'revealed' &&
  content !== null &&
  opened !== null &&
  chain.anchored_at !== null &&
  chain.anchored_at < opened;

/** `isShown`: the page shows the words already. */
type WorkedExampleProps = { site: Site; etch: Etch | undefined; isShown: boolean };

export const WorkedExample = ({ site, etch, isShown }: WorkedExampleProps) => (
  <section class="wide" aria-labelledby="example">
    <h2 id="example">{etch ? 'An example, from sealed to verified' : 'How it goes'}</h2>
    <ol class="steps">{etch ? worked(site, etch, isShown) : stepsOf(site)}</ol>
  </section>
);

function worked(site: Site, etch: Etch, isShown: boolean) {
  const here = `/e/${etch.id}`;
  const author = authorLink(etch.author, etch.author.user_id);
  return [
    step('sealed', 'Sealed')`
      ${onDay(etch.created_at!)}: ${author} sealed a text. Its description, “${safeLink(here, titleOf(etch))}”,
      and a fingerprint of the words, ~${shortHash(etch.hash)}~, were public.
    `,
    step('anchored', 'Anchored')`
      ${atTime(etch.chain.anchored_at!)}: the fingerprint was on ${chainOf(site)}. ${
        isDevnet(site) ? CAN_BE_REWRITTEN : 'From then on no character of the text could change unnoticed.'
      }
    `,
    step(
      'revealed',
      'Opened',
      isShown ? undefined : (
        <blockquote class="words clamp" {...UNTRANSLATED}>
          {safe(wordsText(etch.content!, etch))}
        </blockquote>
      ),
    )`
      ${atTime(etch.reveal_at!)}: the service opened the words.
    `,
    step(
      'pass',
      'Verified, by you',
      <p>
        <a class="button secondary" href={`${here}/verify`}>
          Verify it now
        </a>
      </p>,
    )`Your browser compares the words with the chain, read through this service or a node that you name.`,
  ];
}

const chainOf = (site: Site) =>
  isDevnet(site) ? 'the development chain of this service' : say`the blockchain ${safe(site.chain.name)}`;

const CAN_BE_REWRITTEN = 'Its operator can rewrite that chain, so it proves nothing to strangers.';

const stepsOf = (site: Site) => [
  step('sealed', 'Sealed')`
    You write “The first frost comes before 20 October” and seal it until then. Readers see a description, your
    name and the day, not your words.
  `,
  step('anchored', 'Anchored')`
    Within ${soon(site.anchorSeconds ?? 60)} a fingerprint of your words goes to ${chainOf(site)}. ${
      isDevnet(site)
        ? CAN_BE_REWRITTEN
        : 'Once the chain confirms it, neither text nor time can change unnoticed.'
    }
  `,
  step('revealed', 'Opened')`
    On 20 October the service opens the words, right or wrong.
  `,
  step('pass', 'Verified, by anyone')`
    Anyone can compare the words with the chain, also without this service.
    [How to verify](/verify/how)
  `,
];

const step =
  (glyph: GlyphName, title: string, more?: VNode) =>
  (...text: Parameters<typeof prose>) => (
    <li>
      <Glyph name={glyph} />
      <h3>{title}</h3>
      {prose(...text)}
      {more}
    </li>
  );
