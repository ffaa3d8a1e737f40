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

type Lines = readonly string[];

type SealTermsProps = { open: Lines; hidden: Lines; until: ComponentChildren };

export const SealTerms = ({ open, hidden, until }: SealTermsProps) => (
  <div class="terms">
    <div class="open">
      <p class="title">
        <Glyph name="revealed" /> Public now
      </p>
      {items(open)}
    </div>
    <div class="hidden-until">
      <p class="title">
        <Glyph name="sealed" /> Hidden until {until}
      </p>
      {items(hidden)}
    </div>
  </div>
);

const items = (lines: Lines) => (
  <ul>
    {lines.map((line) => (
      <li>{line}</li>
    ))}
  </ul>
);
