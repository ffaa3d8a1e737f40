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
        <strong role="status" data-said=""></strong> It stays on this device until you etch or discard it.
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
