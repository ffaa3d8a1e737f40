import type { Site } from '../site.ts';

const CHOICES = [
  { value: 'device', label: 'Device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** The page has a form `composer` with unsaved text: `again` shows it as answered before, `edit` without a message. */
export type Typed = 'again' | 'edit';

/**
 * Needs neither account nor script. Typed text comes back, except for a blind seal, whose text must not leave the
 * browser.
 */
export function ThemeChoice({ site, typed }: { site: Site; typed?: Typed | undefined }) {
  const own = (
    <form class={typed ? 'theme with-scripts' : 'theme'} method="post" action="/theme">
      <Choices site={site} name="theme" />
    </form>
  );
  if (!typed) return own;
  return (
    <>
      {own}
      <noscript>
        <div class="theme">
          <Choices site={site} name={`theme_${typed}`} form="composer" />
        </div>
      </noscript>
    </>
  );
}

function Choices({ site, name, form }: { site: Site; name: string; form?: string }) {
  const chosen = site.theme ?? 'device';
  return (
    <fieldset>
      <legend>Theme</legend>
      {CHOICES.map(({ value, label }) => (
        <button type="submit" name={name} value={value} form={form} aria-pressed={value === chosen}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}
