import { type AnswerFormat, isYesNo } from '@svc/protocol/conventions';
import type { ComponentChildren } from 'preact';
import { askedBy, type EtchDraft, fieldLabel, type ForecastField, forecastFields } from './etch-draft.ts';
import { Choices, LineEntry, useWrong, useWrongFields, WrongNote } from './form.tsx';
import { NO_SUM } from '../chance.ts';
import { say } from './prose.tsx';
import { safe } from './values.tsx';

type ForecastEntryProps = { draft: EtchDraft; question: string | undefined };

type Numbered = ForecastField & { at: number };

export function ForecastEntry({ draft, question }: ForecastEntryProps) {
  const asked = askedBy(question);
  if (asked?.asks === 'text') return null;
  const fields = forecastFields(draft, question).map((field, at) => ({ ...field, at }));
  const line = draft.forecast;
  if (fields.length === 0 && line === '') return null;
  const isQuantile = ({ known }: ForecastField) => /^q\d+$/.test(known ?? '');
  const quantiles = fields.filter(isQuantile);
  const outcomes = fields.filter((field) => !isQuantile(field));
  const unit = asked?.asks === 'number' ? asked.unit : undefined;
  return (
    <Choices name="forecast" legend={legendOf(asked)} class=" forecast as-forecast">
      {asked === null ? (
        <FreeForecast outcomes={outcomes} quantiles={quantiles} line={line} />
      ) : (
        <>
          {outcomes.length > 0 &&
            chanceFields(
              outcomes,
              outcomes.length === 1
                ? 'The rest is the chance of no.'
                : 'The chances must add up to 100 %. An empty field means 0 %.',
            )}
          {quantiles.length > 0 && fieldsOf(quantiles, 'Fill in every field, the lowest number first.', unit)}
          {line !== '' && forecastLine(line)}
        </>
      )}
    </Choices>
  );
}

function legendOf(asked: AnswerFormat | null) {
  if (asked === null || asked.asks === 'text') return 'Forecast';
  if (asked.asks === 'number') return say`What number do you expect, in ${safe(asked.unit)}?`;
  return isYesNo(asked.outcomes) ? 'How likely is yes?' : 'How likely is each outcome?';
}

/** The entry of a forecast that answers no question. */
type FreeForecastProps = { outcomes: readonly Numbered[]; quantiles: readonly Numbered[]; line: string };

function FreeForecast({ outcomes, quantiles, line }: FreeForecastProps) {
  const wrong = useWrongFields();
  const yes = outcomes.filter(({ known }) => known === 'yes');
  const others = outcomes.filter(({ known }) => known !== 'yes');
  const isOpen =
    line !== '' ||
    [...others, ...quantiles].some(
      ({ value, at }) => value !== '' || wrong.some(({ path }) => path === `forecast_${at}`),
    );
  return (
    <>
      {chanceFields(yes, 'How likely is it?')}
      <details open={isOpen}>
        <summary>Several outcomes, or a number</summary>
        {chanceFields(others, 'Name each outcome. Their chances add up to 100 %.')}
        {fieldsOf(quantiles, 'For a number, give the values that it does not exceed with these chances.')}
        {forecastLine(line)}
      </details>
    </>
  );
}

const forecastLine = (line: string) => (
  <LineEntry
    name="forecast_line"
    label="More, in one line"
    hint={say`As in the words: ~red=0.5 blue=0.5~, or ~q25=4 q75=7~`}
    value={line}
    mono
  />
);

const fieldsOf = (fields: readonly Numbered[], hint: ComponentChildren, unit?: string) => (
  <>
    <p class="hint">{hint}</p>
    <div class="forecast-fields in-order">
      {fields.map((field) => (
        <Field {...field} unit={unit} />
      ))}
    </div>
  </>
);

/** More fields are in two columns on a wide page. */
const IN_ONE_COLUMN = 5;

/** chances.ts moves the sliders, sums up and spreads; without scripts the style sheet hides all three. */
const chanceFields = (fields: readonly Numbered[], hint: ComponentChildren) => (
  <div data-chances="">
    <p class="hint">{hint}</p>
    <div class={fields.length > IN_ONE_COLUMN ? 'forecast-fields' : 'forecast-fields in-order'}>
      {fields.map((field) => (
        <Field {...field} hasSlider />
      ))}
    </div>
    {fields.length > 1 && (
      <>
        <output class="chance-sum with-scripts" aria-label="Sum of the chances">
          {NO_SUM}
        </output>
        <p class="with-scripts">
          <button type="button" class="secondary" data-spread="">
            Divide the rest evenly
          </button>
        </p>
      </>
    )}
  </div>
);

type FieldProps = Numbered & { unit?: string | undefined; hasSlider?: boolean };

function Field({ known, name, value, at, unit, hasSlider }: FieldProps) {
  const id = `forecast_${at}`;
  const wrong = useWrong(id);
  const label = fieldLabel({ known, name });
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
          {safe(label)}
          {unit !== undefined && <span class="visually-hidden"> … {safe(unit)}</span>}
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
      <span class="unit" aria-hidden="true">
        {hasSlider ? '%' : unit !== undefined && safe(unit)}
      </span>
      {hasSlider && (
        <input
          type="range"
          class="with-scripts"
          min={0}
          max={100}
          aria-label={known === null ? `Slider of outcome ${at}` : `Slider: ${label}`}
        />
      )}
      <WrongNote id={`${id}-wrong`} wrong={wrong} />
    </div>
  );
}
