import type { ComponentChildren, VNode } from 'preact';
import { spanText } from '../format.ts';
import { Sign, SIGNS } from './sign.tsx';
import { Text, TextLink } from './values.tsx';

export interface FormProblem {
  message: string;
  details?: readonly { path: string; message: string }[] | undefined;
  /** seconds */
  retryAfter?: number | undefined;
  /** signing in in a second tab saves the typed text */
  signedOut?: boolean;
}

/** As in `The topic must be one of …`; `missing` says what to do if empty. */
interface FieldName {
  subject: string;
  missing: string;
}

export type FieldNames = Readonly<Record<string, FieldName>>;

export interface ToldProblem extends FormProblem {
  fields: readonly { path: string; sentence: string }[];
}

export function told(problem: FormProblem | undefined, names: FieldNames = {}): ToldProblem | undefined {
  if (!problem) return undefined;
  const details = problem.details ?? [];
  const fields = Object.entries(names).flatMap(([path, name]) =>
    details
      .filter((detail) => detail.path === path)
      .map(({ message }) => ({ path, sentence: fieldSentence(name, message) })),
  );
  return { ...problem, fields };
}

/** The start of a message that continues a sentence about the field. */
const PREDICATE = /^(is|are|has|have|must|would|stands?|needs?|lies?) /;

function fieldSentence({ subject, missing }: FieldName, message: string): string {
  if (message === 'is required') return sentence(missing);
  const spans = message.replace(/\b(\d+) seconds\b/, (_, seconds) => spanText(Number(seconds) * 1000));
  return sentence(PREDICATE.test(spans) ? `${subject} ${spans}` : `${subject}: ${spans}`);
}

export const wrongWith = (problem: ToldProblem | undefined, name: string): string | undefined =>
  problem?.fields.find(({ path }) => path === name)?.sentence;

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;

export function ProblemSummary({ problem }: { problem: ToldProblem | undefined }) {
  if (!problem) return null;
  return (
    <div class="problem" role="alert" tabindex={-1} autofocus>
      <h2>
        <Sign d={SIGNS.warn} /> {problem.signedOut ? 'You are not signed in any more' : 'Not done yet'}
      </h2>
      {problem.signedOut ? (
        <p>
          What you typed is still below.{' '}
          <a href="/sign-in?return=/account" target="_blank" rel="noopener">
            Sign in again in a new tab
          </a>
          , come back to this one, and send it again.
        </p>
      ) : problem.fields.length > 0 ? (
        <ul>
          {problem.fields.map(({ path, sentence }) => (
            <li>
              <TextLink href={`#${path}`}>{sentence}</TextLink>
            </li>
          ))}
        </ul>
      ) : (
        <p>
          <Text>{sentence(problem.message)}</Text>
          {problem.retryAfter !== undefined && (
            <> Try again in {spanText(problem.retryAfter * 1000)}: what you typed is still here.</>
          )}
        </p>
      )}
    </div>
  );
}

interface FieldProps {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  problem?: ToldProblem | undefined;
}

type EntryProps = FieldProps & { children: (attributes: EntryAttributes) => VNode };

export function Entry({ name, label, hint, problem, children }: EntryProps) {
  const wrong = wrongWith(problem, name);
  const described = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  return (
    <div class={`entry${wrong ? ' wrong' : ''}`}>
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id: name,
        name,
        ...(described && { 'aria-describedby': described }),
        ...(wrong !== undefined && { 'aria-invalid': 'true' as const }),
      })}
      <WrongNote id={`${name}-wrong`} wrong={wrong} />
    </div>
  );
}

interface EntryAttributes {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid'?: 'true';
}

interface LineEntryProps extends FieldProps {
  value: string;
  type?: 'text' | 'datetime-local';
  mono?: boolean;
  input?: { required?: boolean; maxlength?: number; autocomplete?: 'username'; autofocus?: boolean };
}

export function LineEntry({ value, type = 'text', mono = false, input, ...field }: LineEntryProps) {
  const own = { value, autocomplete: 'off', class: mono ? 'mono' : '', ...input } as const;
  return (
    <Entry {...field}>
      {(attributes) =>
        type === 'text' ? (
          <input {...attributes} type="text" {...own} />
        ) : (
          <input {...attributes} type={type} value={value} />
        )
      }
    </Entry>
  );
}

type TextEntryProps = FieldProps & { value: string; max: number; rows: number; words?: boolean };

/** Counts code points, as the service does. */
export function TextEntry({ value, max, rows, words = false, ...field }: TextEntryProps) {
  return (
    <Entry {...field}>
      {(attributes) => (
        <>
          {/* The parser drops the first line feed, so the text needs an additional one. */}
          <textarea {...attributes} rows={rows} class={words ? 'words' : undefined} spellcheck>
            {`\n${value}`}
          </textarea>
          <p class="count-of" data-count={field.name} data-max={max}>
            {[...value].length.toLocaleString('en')} of {max.toLocaleString('en')} characters
          </p>
        </>
      )}
    </Entry>
  );
}

export function Hidden({ values }: { values: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

export function Done({ children }: { children: ComponentChildren }) {
  return (
    <p class="done" role="status">
      <Sign d={SIGNS.pass} /> <span>{children}</span>
    </p>
  );
}

export interface ModeProps {
  type?: 'radio' | 'checkbox';
  name: string;
  value: string;
  checked?: boolean;
  title: ComponentChildren;
  children: ComponentChildren;
}

/** One of several choices, with what it means. */
export function Mode({ title, children, type = 'radio', ...input }: ModeProps) {
  return (
    <label class="mode">
      <input type={type} {...input} />
      <span>
        <strong>{title}</strong>
        <span class="quiet">{children}</span>
      </span>
    </label>
  );
}

interface ChoicesProps {
  name: string;
  legend: string;
  kind?: 'modes' | 'panels';
  class?: string;
  problem?: ToldProblem | undefined;
  children: ComponentChildren;
}

/** A group of choices. A problem links to it. */
export function Choices({ name, legend, kind = 'modes', class: more = '', problem, children }: ChoicesProps) {
  const wrong = wrongWith(problem, name);
  const described = wrong === undefined ? undefined : `${name}-wrong`;
  return (
    <fieldset
      class={`${kind}${more}${wrong ? ' wrong' : ''}`}
      id={name}
      tabindex={-1}
      aria-describedby={described}
    >
      <legend>{legend}</legend>
      <WrongNote id={described} wrong={wrong} />
      {children}
    </fieldset>
  );
}

export const WrongNote = ({ id, wrong }: { id?: string | undefined; wrong: string | undefined }) =>
  wrong === undefined ? null : (
    <p class="wrong-note" id={id}>
      <Text>{wrong}</Text>
    </p>
  );

export const PreviewStep = ({ said }: { said: string }) => (
  <p class="actions">
    <button type="submit" name="step" value="preview">
      Preview
    </button>
    <span class="quiet">{said}</span>
  </p>
);

type FinalStepProps = { step: 'etch' | 'ask'; button: string; children: ComponentChildren };

export const FinalStep = ({ step, button, children }: FinalStepProps) => (
  <div class="note final">
    {children}
    <p class="actions">
      <button type="submit" name="step" value={step}>
        {button}
      </button>
      <button type="submit" name="step" value="edit" class="secondary" formNoValidate>
        Change something
      </button>
    </p>
  </div>
);

export const Submit = ({ children }: { children: string }) => (
  <p class="actions">
    <button type="submit">{children}</button>
  </p>
);
