import { CONTENT_MAX } from '@svc/contract';
import { type SectionName, SECTIONS } from '@svc/protocol/conventions';
import { type EtchDraft, type Kind, KINDS, PREREGISTRATION, sectionField } from './etch-draft.ts';
import { TextEntry, useWrong, WrongNote } from './form.tsx';
import { AddFiles } from './file-drop.tsx';

const HINTS: Readonly<Record<SectionName, string>> = {
  Hypothesis: 'What do you expect, so that the data can contradict you?',
  Design: 'Groups, assignment, who knows what.',
  Sample: 'What or whom you measure, and how many.',
  Analysis: 'The tests that count, with their thresholds.',
  'Exclusion rules': 'Which data you leave out. If none, say so.',
  'Stop rules': 'When you stop collecting data.',
};

export function SectionEntries({ draft: { sections = {} } }: { draft: EtchDraft }) {
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
          max={CONTENT_MAX}
          rows={3}
        />
      ))}
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
      <div class="drop" data-files="" hidden>
        <AddFiles />
        <p class="hint">Or drop them here. Nothing of them leaves your browser.</p>
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
