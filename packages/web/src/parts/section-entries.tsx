import { CONTENT_MAX } from '@svc/contract';
import { type SectionName, SECTIONS } from '@svc/protocol/conventions';
import type { VNode } from 'preact';
import { type EtchDraft, PREREGISTRATION, sectionField } from './etch-draft.ts';
import { Hidden, TextEntry } from './form.tsx';
import { type ToldProblem, wrongWith } from './told-problem.ts';
import { Text } from './text.tsx';

const HINTS: Readonly<Record<SectionName, string>> = {
  Hypothesis: 'What do you expect, so that the data can contradict you?',
  Design: 'Groups, assignment, who knows what.',
  Sample: 'What or whom you measure, and how many.',
  Analysis: 'The tests that count, with their thresholds.',
  'Exclusion rules': 'Which data you leave out. If none, say so.',
  'Stop rules': 'When you stop collecting data.',
};

type SectionEntriesProps = { draft: EtchDraft; problem: ToldProblem | undefined };

export function SectionEntries({ draft: { sections = {} }, problem }: SectionEntriesProps): VNode {
  const wrong = wrongWith(problem, 'content');
  return (
    <div id="content" tabindex={-1}>
      <Hidden values={{ kind: PREREGISTRATION }} />
      <p class="hint">
        Every section is required. Together they are one text of at most {CONTENT_MAX.toLocaleString('en')}{' '}
        characters.
      </p>
      {wrong !== undefined && (
        <p class="wrong-note">
          <Text>{wrong}</Text>
        </p>
      )}
      {SECTIONS.map((name) => (
        <TextEntry
          name={sectionField(name)}
          label={name}
          hint={HINTS[name]}
          value={sections[name] ?? ''}
          max={CONTENT_MAX}
          rows={3}
          problem={problem}
        />
      ))}
    </div>
  );
}
