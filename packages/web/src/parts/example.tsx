import type { Etch } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { soon } from '../proven.ts';
import type { Site } from '../site.ts';
import { titleOf } from '../title.ts';
import { wordsText } from '../words-text.ts';
import { authorLink } from './author.tsx';
import { Glyph, type GlyphName } from './glyph.tsx';
import { onDay, shortHash, safe, safeLink, atTime } from './values.tsx';

/** Only open words that were on the chain before. */
export const isWorked = ({ status, content, chain, reveal_at: opened }: Etch): boolean =>
  status === 'revealed' &&
  content !== null &&
  opened !== null &&
  chain.anchored_at !== null &&
  chain.anchored_at < opened;

export function WorkedExample({ site, etch }: { site: Site; etch: Etch | undefined }) {
  return (
    <section class="wide" aria-labelledby="example">
      <h2 id="example">{etch ? 'An example, from sealed to verified' : 'How it goes'}</h2>
      <ol class="steps">{etch ? <Worked etch={etch} /> : <Told site={site} />}</ol>
    </section>
  );
}

function Worked({ etch }: { etch: Etch }) {
  const here = `/e/${etch.id}`;
  return (
    <>
      <Step glyph="sealed" title="Sealed">
        <p>
          {onDay(etch.created_at!)}: {authorLink(etch.author, etch.author.user_id)} sealed a text. Its
          description, “{safeLink(here, titleOf(etch))}
          ”, and its hash, <code>{shortHash(etch.hash)}</code>, were public.
        </p>
      </Step>
      <Step glyph="anchored" title="Anchored">
        <p>
          {atTime(etch.chain.anchored_at!)}: the hash was on the chain, and no character of the text could
          change any more.
        </p>
      </Step>
      <Step glyph="revealed" title="Opened">
        <p>{atTime(etch.reveal_at!)}: the service opened the words.</p>
        <blockquote class="words clamp">{safe(wordsText(etch.content!))}</blockquote>
      </Step>
      <Step glyph="pass" title="Verified, by you">
        <p>Your browser hashes the words again, folds the proof and reads the chain.</p>
        <p>
          <a class="button" href={`${here}/verify`}>
            Verify it now
          </a>
        </p>
      </Step>
    </>
  );
}

function Told({ site }: { site: Site }) {
  return (
    <>
      <Step glyph="sealed" title="Sealed">
        <p>
          You write “The first frost comes before 20 October” and seal it until then. Readers see a
          description, your name, the day and one hash.
        </p>
      </Step>
      <Step glyph="anchored" title="Anchored">
        <p>
          Within {soon(site.anchorSeconds ?? 60)} the hash is in a tree whose root is on the chain. From then
          on neither text nor time can change unnoticed.
        </p>
      </Step>
      <Step glyph="revealed" title="Opened">
        <p>On 20 October the service opens the words, right or wrong. Nobody has to trust your memory.</p>
      </Step>
      <Step glyph="pass" title="Verified, by anyone">
        <p>
          Anyone can hash the words again, fold the proof and read the chain, without this service.{' '}
          <a href="/verify/how">How to verify</a>
        </p>
      </Step>
    </>
  );
}

type StepProps = { glyph: GlyphName; title: string; children: ComponentChildren };

function Step({ glyph, title, children }: StepProps) {
  return (
    <li>
      <Glyph name={glyph} />
      <h3>{title}</h3>
      {children}
    </li>
  );
}
