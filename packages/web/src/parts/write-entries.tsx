import { CONTENT_MAX } from '@svc/contract';
import { readSections, type SectionName, SECTIONS, sectionWords, TEMPLATES } from '@svc/protocol/conventions';
import { type DrandChain, MOST_BLIND_BYTES } from '@svc/protocol/timelock';
import type { ComponentChildren } from 'preact';
import { spanText } from '../format.ts';
import { PRESETS } from '../reveal-presets.ts';
import { type EtchDraft, type Kind, KINDS, PREREGISTRATION, sectionField } from './etch-draft.ts';
import { AddFiles } from './file-drop.tsx';
import { Choices, CountNote, DateEntry, Mode, TextEntry, useWrong, WrongNote } from './form.tsx';
import { Glyph } from './tag.tsx';

const HINTS: Readonly<Record<SectionName, string>> = {
  Hypothesis: 'What do you expect, so that the data can contradict you?',
  Design: 'Groups, assignment, blinding.',
  Sample: 'What or whom you measure, and how many.',
  Analysis: 'The tests that count, with their thresholds.',
  'Exclusion rules': 'Which data you leave out. If none, say so.',
  'Stop rules': 'When you stop collecting data.',
};

const EXAMPLES = readSections(TEMPLATES.preregistration)!;

export function SectionEntries({ draft }: { draft: EtchDraft }) {
  const { sections = {}, files = '' } = draft;
  return (
    <div id="content" tabindex={-1}>
      <input type="hidden" name="kind" value={PREREGISTRATION} />
      <p class="hint">
        Every section is required. Together they are one text of at most {CONTENT_MAX.toLocaleString('en')}{' '}
        characters.
      </p>
      <WrongNote wrong={useWrong('content')} />
      {SECTIONS.map((name) => (
        <TextEntry
          name={sectionField(name)}
          label={name}
          hint={HINTS[name]}
          value={sections[name] ?? ''}
          placeholder={EXAMPLES[name]}
          rows={3}
        />
      ))}
      <CountNote
        counts="sections"
        of="All sections together"
        base={[...sectionWords({})].length}
        length={[...(files === '' ? '' : `${files}\n`), ...sectionWords(sections)].length}
        max={CONTENT_MAX}
        note="headings and files included"
      />
      <fieldset class="boxes kinds">
        <legend>Files (optional), such as data or code</legend>
        <FileEntry draft={draft} />
      </fieldset>
    </div>
  );
}

const LABELS: Readonly<Record<(typeof KINDS)[number], string>> = {
  text: 'Text',
  forecast: 'Forecast',
  files: 'Files',
};

/** The style sheet shows the fields of the chosen kind. A browser without :has shows all. */
export function KindChoice({ chosen }: { chosen: Kind }) {
  return (
    <fieldset class="boxes kinds">
      <legend>What do you commit to?</legend>
      {KINDS.map((kind) => (
        <label class="box-label">
          <input type="radio" name="kind" value={kind} checked={kind === chosen} /> {LABELS[kind]}
        </label>
      ))}
    </fieldset>
  );
}

export function FileEntry({ draft }: { draft: EtchDraft }) {
  return (
    <div class="as-files" id="files" tabindex={-1}>
      <WrongNote wrong={useWrong('files')} />
      <div class="drop awaits-script" data-files="" hidden>
        <AddFiles />
        <p class="hint">
          Or drop them here. The files stay in your browser: the etch has only their names and hashes.
        </p>
        <div hidden>
          <textarea name="files" aria-label="First lines">{`\n${draft.files ?? ''}`}</textarea>
        </div>
        <output></output>
      </div>
      <noscript>
        <p class="hint">
          Your browser hashes files by a script, and scripts are switched off. <code>svc etch --files</code>{' '}
          works without a browser.
        </p>
      </noscript>
    </div>
  );
}

function Presets({ legend }: { legend: string }) {
  return (
    <fieldset class="boxes presets">
      <legend>{legend}</legend>
      {PRESETS.map(({ value, label }) => (
        <label class="box-label">
          <input type="radio" name="opens_in" value={value} /> {label}
        </label>
      ))}
      <label class="box-label">
        <input type="radio" name="opens_in" value="date" checked /> on another date
      </label>
    </fieldset>
  );
}

type Lines = readonly string[];

type SealTermsProps = { open: Lines; hidden: Lines; until: ComponentChildren };

export const SealTerms = ({ open, hidden, until }: SealTermsProps) => (
  <div class="terms">
    <div class="open">
      <p class="title">
        <Glyph name="public" /> Public now
      </p>
      {items(open)}
    </div>
    <div class="hidden-until">
      <p class="title">
        <Glyph name="sealed" /> Hidden until {until}
      </p>
      {items(hidden)}
    </div>
  </div>
);

const items = (lines: Lines) => (
  <ul>
    {lines.map((line) => (
      <li>{line}</li>
    ))}
  </ul>
);

type WhenShownProps = { drand: DrandChain | undefined; draft: EtchDraft; lead: number };

export function WhenShown({ drand, draft, lead }: WhenShownProps) {
  return (
    <Choices name="mode" legend="When the words become public" kind="panels">
      <div class="panel">
        <Mode name="mode" value="instant" checked={draft.mode === 'instant'} title="Public at once">
          Everyone can read the words now.
        </Mode>
      </div>
      <div class="panel">
        <Mode name="mode" value="delayed" checked={draft.mode === 'delayed'} title="Sealed until a date">
          The words stay hidden until then, and open by themselves. The operator of this service can read
          them.
        </Mode>
      </div>
      {drand && <BlindChoice chain={drand} lead={lead} />}
      <div class="when">
        <LaterDate verb="opens" value={draft.reveal_at} lead={lead} />
        <SealTerms
          open={['your name, and the day', 'the description and the topic', 'a hash, and when it opens']}
          hidden={['your words, even from you: save a copy in the next step', 'the exact time of writing']}
          until="then"
        />
      </div>
    </Choices>
  );
}

/** A script must encrypt before anything is sent, so the choice is in a template. */
function BlindChoice({ chain, lead }: { chain: DrandChain; lead: number }) {
  const most = MOST_BLIND_BYTES.toLocaleString('en');
  return (
    <>
      <template data-blind={JSON.stringify(chain)} data-lead={lead} data-most={MOST_BLIND_BYTES}>
        <div class="panel">
          <Mode name="mode" value="blind" title="Blind seal until a date">
            Your browser encrypts the words, so this service never has them. Anyone can open them from then
            on, with a key that the drand network publishes. At most {most} bytes: an English letter is one,
            an emoji four.
          </Mode>
        </div>
      </template>
      <noscript>
        <p class="hint">
          For a blind seal, your browser encrypts the words by a script, and scripts are switched off.{' '}
          <code>svc etch --blind</code> works without a browser.
        </p>
      </noscript>
    </>
  );
}

/** `lead`: the fewest seconds from now */
interface LaterDateProps {
  verb: 'opens' | 'closes';
  value: string;
  lead: number;
}

export const LaterDate = ({ verb, value, lead }: LaterDateProps) => (
  <>
    <Presets legend={`It ${verb}`} />
    <DateEntry
      label={verb === 'opens' ? 'Opens at' : 'Closes at'}
      value={value}
      hint={`At least ${spanText(lead * 1000)} from now. You cannot change it later.`}
    />
  </>
);
