import type { VNode } from 'preact';
import type { Site } from '../site.ts';

/**
 * Attributes by which the draft island (islands/drafts.tsx) finds a form. An empty form may get a draft back; a sent one is a
 * preview or a rejection.
 */
export const keptForm = ({ viewer }: Site, path: string, state: 'empty' | 'begun' | 'sent') => ({
  'data-draft': path,
  'data-owner': viewer?.username,
  'data-state': state,
});

/** Status and actions of the draft in a form; empty without scripts. */
export function DraftNote(): VNode {
  return (
    <div class="note draft-note" data-draft-note="" hidden>
      <p>
        <strong role="status" data-said=""></strong> It is on this device only, where whoever uses this
        browser can read it, until you etch or discard it.
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

/** Where the island lists drafts. */
export function DraftList({ site, title }: { site: Site; title: string }): VNode | null {
  if (!site.viewer) return null;
  return (
    <section class="drafts" data-drafts={site.viewer.username} hidden aria-label={title}>
      <h2>{title}</h2>
      <ul class="plain-list"></ul>
    </section>
  );
}
