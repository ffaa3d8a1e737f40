import type { ComponentChildren } from 'preact';
import { ASKS, type TypedAsks } from '../asks.ts';
import { LineEntry, Mode } from './form.tsx';

export function AsksEntry({ typed }: { typed: TypedAsks }) {
  const asks = ASKS.find((known) => known === typed.asks) ?? 'text';
  const choice = (value: (typeof ASKS)[number], title: string, says: string, fields?: ComponentChildren) => (
    <div class="panel">
      <Mode name="asks" value={value} checked={value === asks} title={title}>
        {says}
      </Mode>
      {fields && <div class="when">{fields}</div>}
    </div>
  );
  const entry = (name: 'outcomes' | 'unit' | 'levels', label: string, hint: string) => (
    <LineEntry name={name} label={label} hint={hint} value={typed[name]} />
  );
  return (
    <fieldset class="panels">
      <legend>What it asks for</legend>
      {choice('text', 'Free text', 'Words of any kind. They are not scored.')}
      {choice('yes_no', 'Yes or no', 'A chance of yes, scored.')}
      {choice(
        'outcomes',
        'Several outcomes',
        'A chance of each, scored.',
        entry(
          'outcomes',
          'The outcomes',
          'Separated by commas, without spaces in a name: red, green, dark-blue',
        ),
      )}
      {choice('number', 'A number', 'A range for a number, scored.', [
        entry('unit', 'The unit', 'Such as mm, nights or EUR'),
        entry(
          'levels',
          'Quantile levels in percent (optional)',
          'An answer says for each level: the number is at most this, with this chance. Empty: 10 50 90',
        ),
      ])}
    </fieldset>
  );
}
