import type { ComponentChildren } from 'preact';
import { PRESETS } from '../presets.ts';
import { Glyph } from './glyph.tsx';

export function Presets() {
  return (
    <fieldset class="boxes presets">
      <legend>It opens</legend>
      {PRESETS.map(({ value, label }) => (
        <label class="box-label">
          <input type="radio" name="opens_in" value={value} /> {label}
        </label>
      ))}
      <label class="box-label">
        <input type="radio" name="opens_in" value="date" checked /> at a date of my own
      </label>
    </fieldset>
  );
}

interface SealTermsProps {
  open: readonly ComponentChildren[];
  hidden: readonly ComponentChildren[];
  until: ComponentChildren;
}

export function SealTerms(props: SealTermsProps) {
  const { open, hidden, until } = props;
  return (
    <div class="terms">
      <div class="open">
        <p class="title">
          <Glyph name="revealed" /> Public now
        </p>
        <Items items={open} />
      </div>
      <div class="hidden-until">
        <p class="title">
          <Glyph name="sealed" /> Hidden until {until}
        </p>
        <Items items={hidden} />
      </div>
    </div>
  );
}

function Items({ items }: { items: readonly ComponentChildren[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}
