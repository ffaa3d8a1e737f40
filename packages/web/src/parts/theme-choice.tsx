import type { VNode } from 'preact';
import type { Site } from '../site.ts';

const CHOICES = [
  { value: 'device', label: 'Device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Of the whole site, for whoever asks: kept in a cookie, and sent as a form, so that it needs neither account nor script. */
export function ThemeChoice({ site }: { site: Site }): VNode {
  const chosen = site.theme ?? 'device';
  return (
    <form class="theme" method="post" action="/theme">
      <fieldset>
        <legend>Theme</legend>
        {CHOICES.map(({ value, label }) => (
          <button type="submit" name="theme" value={value} aria-pressed={value === chosen}>
            {label}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
