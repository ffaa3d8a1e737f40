import type { VNode } from 'preact';
import { type Kind, KINDS } from './etch-draft.ts';

const LABELS: Readonly<Record<(typeof KINDS)[number], string>> = {
  text: 'Text',
  forecast: 'Forecast',
  files: 'Files',
};

/** The style sheet shows the fields of the chosen kind. A browser without :has shows all. */
export function KindChoice({ chosen }: { chosen: Kind }): VNode {
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
