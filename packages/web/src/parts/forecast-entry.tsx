import { isYesNo } from '@svc/protocol/conventions';
import type { VNode } from 'preact';
import type { EtchDraft } from './etch-draft.ts';
import { askedBy, fieldLabel, type ForecastField, forecastFields } from './forecast-draft.ts';
import { LineEntry } from './form.tsx';
import { type ToldProblem, wrongWith } from './told-problem.ts';
import { Text } from './text.tsx';

interface ForecastEntryProps {
  draft: EtchDraft;
  question: string | undefined;
  problem: ToldProblem | undefined;
}

type Numbered = ForecastField & { at: number };

/** Absent if the question asks for a text. */
export function ForecastEntry({ draft, question, problem }: ForecastEntryProps): VNode | null {
  const asked = askedBy(question);
  if (asked?.asks === 'text') return null;
  const fields = forecastFields(draft, question).map((field, at) => ({ ...field, at }));
  if (fields.length === 0 && draft.forecast === '') return null;
  const wrong = wrongWith(problem, 'forecast');
  const isQuantile = ({ known }: ForecastField) => /^q\d+$/.test(known ?? '');
  const quantiles = fields.filter(isQuantile);
  const outcomes = fields.filter((field) => !isQuantile(field));
  const whole = (
    <fieldset class={`modes forecast${wrong === undefined ? '' : ' wrong'}`} id="forecast" tabindex={-1}>
      <legend>Forecast</legend>
      {wrong !== undefined && (
        <p class="wrong-note">
          <Text>{wrong}</Text>
        </p>
      )}
      {outcomes.length > 0 && (
        <Fields
          fields={outcomes}
          problem={problem}
          hint={
            asked === null
              ? 'How likely is it? 72, 72 % and 0.72 mean the same. For yes or no give yes alone. Otherwise name each outcome: they sum to 100 %.'
              : isYesNo(outcomes.map(({ name }) => name))
                ? 'How likely is it? 72, 72 % and 0.72 mean the same. Give yes alone, and no is the rest.'
                : 'How likely is each? 72, 72 % and 0.72 mean the same. They sum to 100 %. An empty field means no chance.'
          }
        />
      )}
      {quantiles.length > 0 && (
        <Fields
          fields={quantiles}
          problem={problem}
          hint={
            asked?.asks === 'number' ? (
              <>
                Below which value does it lie how often, in <Text>{asked.unit}</Text>? Fill in every field.
              </>
            ) : (
              'Or of a number: below which values does it lie how often?'
            )
          }
        />
      )}
      {(asked === null || draft.forecast !== '') && (
        <LineEntry
          name="forecast_line"
          label="More, in one line"
          hint={
            <>
              As the words have it: <code>red=0.5 blue=0.5</code>, or <code>q25=4 q75=7</code>
            </>
          }
          value={draft.forecast}
          problem={problem}
          mono
        />
      )}
      <p class="quiet">It becomes the first line of your words; what you write below are its reasons.</p>
    </fieldset>
  );
  if (asked !== null) return whole;
  const isTyped = draft.forecast !== '' || fields.some(({ value }) => value !== '');
  const isMeant = problem?.fields.some(({ path }) => path.startsWith('forecast'));
  return (
    <details open={isTyped || isMeant}>
      <summary>Add a probability or number</summary>
      {whole}
    </details>
  );
}

function Fields({
  fields,
  hint,
  problem,
}: {
  fields: readonly Numbered[];
  hint: VNode | string;
  problem: ToldProblem | undefined;
}): VNode {
  return (
    <>
      <p class="hint">{hint}</p>
      <div class="forecast-fields">
        {fields.map((field) => (
          <Field field={field} problem={problem} />
        ))}
      </div>
    </>
  );
}

function Field({ field, problem }: { field: Numbered; problem: ToldProblem | undefined }): VNode {
  const { known, name, value, at } = field;
  const id = `forecast_${at}`;
  const wrong = wrongWith(problem, id);
  return (
    <div class={wrong === undefined ? '' : 'wrong'}>
      {known === null ? (
        <input
          type="text"
          name={`forecast_name_${at}`}
          value={name}
          aria-label={`Name of outcome ${at}`}
          placeholder="an outcome"
          autocomplete="off"
        />
      ) : (
        <label for={id}>
          <Text>{fieldLabel(field)}</Text>
          <input type="hidden" name={`forecast_name_${at}`} value={known} />
        </label>
      )}
      <input
        id={id}
        type="text"
        name={id}
        value={value}
        inputmode="decimal"
        autocomplete="off"
        {...(known === null && { 'aria-label': `Probability of outcome ${at}` })}
        {...(wrong !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `${id}-wrong` })}
      />
      {wrong !== undefined && (
        <p class="wrong-note" id={`${id}-wrong`}>
          <Text>{wrong}</Text>
        </p>
      )}
    </div>
  );
}
