import type { Site } from '../site.ts';

const CHOICES = [
  { value: 'device', label: 'Device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Unsaved text: `again` shows the form as answered before, `edit` without a message. */
export interface TypedForm {
  id: string;
  then: 'again' | 'edit';
}

/**
 * Needs neither account nor script. Typed text comes back, except for a blind seal, whose text must not leave the
 * browser.
 */
export function ThemeChoice({ site, form }: { site: Site; form?: TypedForm | undefined }) {
  const own = (
    <form class={form ? 'theme with-scripts' : 'theme'} method="post" action="/theme">
      <Choices site={site} name="theme" />
    </form>
  );
  if (!form) return own;
  return (
    <>
      {own}
      <noscript>
        <div class="theme">
          <Choices site={site} name={`theme_${form.then}`} form={form.id} />
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
