import type { ComponentChildren } from 'preact';
import { ASKS, type TypedAsks } from '../asks.ts';
import { LineEntry, Mode } from './form.tsx';

export function AsksEntry({ typed }: { typed: TypedAsks }) {
  const choice = (value: (typeof ASKS)[number], title: string, says: string, fields?: ComponentChildren) => (
    <div class="panel">
      <Mode
        name="asks"
        value={value}
        checked={value === (ASKS.find((known) => known === typed.asks) ?? 'text')}
        title={title}
      >
        {says}
      </Mode>
      {fields && <div class="when">{fields}</div>}
    </div>
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
        <LineEntry
          name="outcomes"
          label="The outcomes"
          hint="Separated by commas, without spaces in a name: red, green, dark-blue"
          value={typed.outcomes}
        />,
      )}
      {choice(
        'number',
        'A number',
        'A range for a number, scored.',
        <>
          <LineEntry name="unit" label="The unit" hint="Such as mm, nights or EUR" value={typed.unit} />
          <LineEntry
            name="levels"
            label="Quantile levels in percent (optional)"
            hint="An answer says for each level: the number is at most this, with this chance. Empty: 10 50 90"
            value={typed.levels}
          />
        </>,
      )}
    </fieldset>
  );
}
