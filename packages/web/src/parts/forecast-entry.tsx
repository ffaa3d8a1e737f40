import { isYesNo } from '@svc/protocol/conventions';
import type { ComponentChildren } from 'preact';
import { askedBy, type EtchDraft, fieldLabel, type ForecastField, forecastFields } from './etch-draft.ts';
import { Choices, LineEntry, useWrong, useWrongFields, WrongNote } from './form.tsx';
import { say } from './prose.tsx';
import { safe } from './values.tsx';

type ForecastEntryProps = { draft: EtchDraft; question: string | undefined };

type Numbered = ForecastField & { at: number };

const SAME = '72, 72 % and 0.72 mean the same.';
const REASONS = 'Your words can give reasons.';

export function ForecastEntry({ draft, question }: ForecastEntryProps) {
  const asked = askedBy(question);
  if (asked?.asks === 'text') return null;
  const fields = forecastFields(draft, question).map((field, at) => ({ ...field, at }));
  const line = draft.forecast;
  if (fields.length === 0 && line === '') return null;
  const isQuantile = ({ known }: ForecastField) => /^q\d+$/.test(known ?? '');
  const quantiles = fields.filter(isQuantile);
  const outcomes = fields.filter((field) => !isQuantile(field));
  const unit = asked?.asks === 'number' && say`, in ${safe(asked.unit)}`;
  return (
    <Choices name="forecast" legend="Forecast" class=" forecast as-forecast">
      {asked === null ? (
        <Own outcomes={outcomes} quantiles={quantiles} line={line} />
      ) : (
        <>
          {outcomes.length > 0 &&
            fieldsOf(
              outcomes,
              isYesNo(outcomes.map(({ name }) => name))
                ? `How likely is it? ${SAME} With yes alone, no is the rest. ${REASONS}`
                : `How likely is each? ${SAME} They sum to 100 %. An empty field means no chance. ${REASONS}`,
            )}
          {quantiles.length > 0 && fieldsOf(quantiles, say`Fill in every field${unit}. ${REASONS}`)}
          {line !== '' && forecastLine(line)}
        </>
      )}
    </Choices>
  );
}

type OwnProps = { outcomes: readonly Numbered[]; quantiles: readonly Numbered[]; line: string };

function Own({ outcomes, quantiles, line }: OwnProps) {
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
      {fieldsOf(yes, `How likely is it? ${SAME} ${REASONS}`)}
      <details open={isOpen}>
        <summary>Several outcomes, or a number</summary>
        {fieldsOf(others, 'Name each outcome. Their chances sum to 100 %.')}
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

const fieldsOf = (fields: readonly Numbered[], hint: ComponentChildren) => (
  <>
    <p class="hint">{hint}</p>
    <div class="forecast-fields">
      {fields.map((field) => (
        <Field {...field} />
      ))}
    </div>
  </>
);

function Field({ known, name, value, at }: Numbered) {
  const id = `forecast_${at}`;
  const wrong = useWrong(id);
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
          {safe(fieldLabel({ known, name }))}
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
      <WrongNote id={`${id}-wrong`} wrong={wrong} />
    </div>
  );
}
