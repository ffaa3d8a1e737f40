import type { ComponentChildren } from 'preact';
import type { Site } from '../site.ts';

export const keptForm = ({ viewer }: Site, path: string, state: 'empty' | 'begun' | 'sent') => ({
  'data-draft': path,
  'data-owner': viewer?.username,
  'data-state': state,
});

export function DraftNote() {
  return (
    <div class="note draft-note" data-draft-note="" hidden>
      <p>
        <strong role="status" data-said=""></strong> It stays on this device until you publish or discard it.
        Anyone who uses this browser can read it.
      </p>
      <p class="actions lesser">
        <button type="button" class="secondary" data-discard="">
          Discard this draft
        </button>
        <button type="button" class="secondary" data-new="">
          Keep it and begin another
        </button>
      </p>
    </div>
  );
}

export function DraftList({ site, title }: { site: Site; title: string }) {
  if (!site.viewer) return null;
  return (
    <section class="drafts" data-drafts={site.viewer.username} hidden aria-label={title}>
      <h2>{title}</h2>
      <ul class="plain-list"></ul>
    </section>
  );
}

export const stepText = ({ viewer }: Site): string =>
  `Nothing is published yet.${viewer ? '' : ' You sign in at the last step.'}`;

export const PreviewStep = ({ text }: { text: string }) => (
  <p class="actions">
    <button type="submit" name="step" value="preview">
      Preview
    </button>
    <span class="quiet">{text}</span>
  </p>
);

type ChangeProps = { path: string; field: string; what: string };

/** Leads from a preview back to a field of its form. */
export const Change = ({ path, field, what }: ChangeProps) => (
  <button
    type="submit"
    form="composer"
    formAction={`${path}#${field}`}
    name="step"
    value="edit"
    class="change"
    formNoValidate
  >
    Change {what}
  </button>
);

type FinalStepProps = { step: 'etch' | 'ask'; button: string; children: ComponentChildren };

export const FinalStep = ({ step, button, children }: FinalStepProps) => (
  <div class="note final">
    {children}
    <p class="actions">
      <button type="submit" name="step" value={step}>
        {button}
      </button>
      <button type="submit" name="step" value="edit" class="secondary" formNoValidate>
        Change something
      </button>
    </p>
  </div>
);
