import type { VNode } from 'preact';
import type { Site } from '../site.ts';

const CHOICES = [
  { value: 'device', label: 'Device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** A form that may hold what is nowhere else: `again` shows it as it was answered before, `edit` without another word. */
export interface TypedForm {
  id: string;
  then: 'again' | 'edit';
}

/**
 * Of the whole site, for whoever asks: kept in a cookie, and sent as a form, so that it needs neither account nor script.
 * Where something may be typed it goes along with it, and comes back; with scripts the browser keeps it, and what is
 * encrypted there must not leave it.
 */
export function ThemeChoice({ site, form }: { site: Site; form?: TypedForm | undefined }): VNode {
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

function Choices({ site, name, form }: { site: Site; name: string; form?: string }): VNode {
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
