import type { ComponentChildren, VNode } from 'preact';
import type { Site } from '../site.ts';
import { spanText } from '../time-text.ts';
import { BlindChoice } from './blind-choice.tsx';
import type { EtchDraft } from './etch-draft.ts';
import { Presets, SealTerms } from './seal-terms.tsx';
import { type ToldProblem, wrongWith } from './told-problem.ts';
import { DateEntry } from './topic-and-date.tsx';

type WhenShownProps = { site: Site; draft: EtchDraft; problem: ToldProblem | undefined; lead: number };

export function WhenShown({ site, draft, problem, lead }: WhenShownProps): VNode {
  const wrong = wrongWith(problem, 'mode');
  return (
    <fieldset
      class={`panels${wrong === undefined ? '' : ' wrong'}`}
      id="mode"
      tabindex={-1}
      {...(wrong !== undefined && { 'aria-describedby': 'mode-wrong' })}
    >
      <legend>When it is shown</legend>
      {wrong !== undefined && (
        <p class="wrong-note" id="mode-wrong">
          {wrong}
        </p>
      )}
      <div class="panel">
        <Mode value="instant" chosen={draft.mode} title="Public at once">
          Everyone can read it at once.
        </Mode>
      </div>
      <div class="panel">
        <Mode value="delayed" chosen={draft.mode} title="Sealed until a date">
          Until then only its hash, its description and the day are public. It opens by itself.
        </Mode>
        {site.drand && <BlindChoice chain={site.drand} lead={lead} />}
        <div class="when">
          <Presets />
          <DateEntry
            label="Opens at"
            value={draft.reveal_at}
            problem={problem}
            hint={`At least ${spanText(lead * 1000)} from now. It cannot be moved later.`}
          />
          <SealTerms
            open={['your name, and the day', 'the description and the topic', 'a hash, and when it opens']}
            hidden={['your words, even from you: save a copy in the next step', 'the exact time of writing']}
            until="then"
          />
        </div>
      </div>
    </fieldset>
  );
}

type ModeProps = { value: 'instant' | 'delayed'; chosen: string; title: string; children: ComponentChildren };

function Mode({ value, chosen, title, children }: ModeProps): VNode {
  return (
    <label class="mode">
      <input type="radio" name="mode" value={value} checked={value === chosen} />
      <span>
        <strong>{title}</strong>
        <span class="quiet">{children}</span>
      </span>
    </label>
  );
}
