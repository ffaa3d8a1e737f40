import { isYesNo } from '@svc/protocol/conventions';
import type { VNode } from 'preact';
import { askedBy, type EtchDraft, fieldLabel, type ForecastField, forecastFields } from './etch-draft.ts';
import { Choices, LineEntry, type ToldProblem, WrongNote, wrongWith } from './form.tsx';
import { Text } from './values.tsx';

interface ForecastEntryProps {
  draft: EtchDraft;
  question: string | undefined;
  problem: ToldProblem | undefined;
}

type Numbered = ForecastField & { at: number };

export function ForecastEntry({ draft, question, problem }: ForecastEntryProps) {
  const asked = askedBy(question);
  if (asked?.asks === 'text') return null;
  const fields = forecastFields(draft, question).map((field, at) => ({ ...field, at }));
  if (fields.length === 0 && draft.forecast === '') return null;
  const isQuantile = ({ known }: ForecastField) => /^q\d+$/.test(known ?? '');
  const quantiles = fields.filter(isQuantile);
  const outcomes = fields.filter((field) => !isQuantile(field));
  return (
    <Choices name="forecast" legend="Forecast" class=" forecast as-forecast" problem={problem}>
      {asked === null ? (
        <Own outcomes={outcomes} quantiles={quantiles} line={draft.forecast} problem={problem} />
      ) : (
        <>
          {outcomes.length > 0 && (
            <Fields
              fields={outcomes}
              problem={problem}
              hint={
                isYesNo(outcomes.map(({ name }) => name))
                  ? `How likely is it? ${SAME} With yes alone, no is the rest. Your words can give reasons.`
                  : `How likely is each? ${SAME} They sum to 100 %. An empty field means no chance. Your words can give reasons.`
              }
            />
          )}
          {quantiles.length > 0 && (
            <Fields
              fields={quantiles}
              problem={problem}
              hint={
                asked.asks === 'number' ? (
                  <>
                    Fill in every field, in <Text>{asked.unit}</Text>. Your words can give reasons.
                  </>
                ) : (
                  'Fill in every field. Your words can give reasons.'
                )
              }
            />
          )}
          {draft.forecast !== '' && <ForecastLine line={draft.forecast} problem={problem} />}
        </>
      )}
    </Choices>
  );
}

const SAME = '72, 72 % and 0.72 mean the same.';

interface OwnProps {
  outcomes: readonly Numbered[];
  quantiles: readonly Numbered[];
  line: string;
  problem: ToldProblem | undefined;
}

function Own({ outcomes, quantiles, line, problem }: OwnProps) {
  const yes = outcomes.filter(({ known }) => known === 'yes');
  const others = outcomes.filter(({ known }) => known !== 'yes');
  const folded = [...others, ...quantiles];
  const isOpen =
    line !== '' ||
    folded.some(({ value, at }) => value !== '' || wrongWith(problem, `forecast_${at}`) !== undefined);
  return (
    <>
      <Fields
        fields={yes}
        problem={problem}
        hint={`How likely is it? ${SAME} Your words can give reasons.`}
      />
      <details open={isOpen}>
        <summary>Several outcomes, or a number</summary>
        <Fields fields={others} problem={problem} hint="Name each outcome. Their chances sum to 100 %." />
        <Fields
          fields={quantiles}
          problem={problem}
          hint="For a number, give the values that it does not exceed with these chances."
        />
        <ForecastLine line={line} problem={problem} />
      </details>
    </>
  );
}

function ForecastLine({ line, problem }: { line: string; problem: ToldProblem | undefined }) {
  return (
    <LineEntry
      name="forecast_line"
      label="More, in one line"
      hint={
        <>
          As in the words: <code>red=0.5 blue=0.5</code>, or <code>q25=4 q75=7</code>
        </>
      }
      value={line}
      problem={problem}
      mono
    />
  );
}

type FieldsProps = { fields: readonly Numbered[]; hint: VNode | string; problem: ToldProblem | undefined };

function Fields({ fields, hint, problem }: FieldsProps) {
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

function Field({ field, problem }: { field: Numbered; problem: ToldProblem | undefined }) {
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
      <WrongNote id={`${id}-wrong`} wrong={wrong} />
    </div>
  );
}
