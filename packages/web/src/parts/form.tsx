import { type ComponentChildren, createContext, type JSX, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { TOPICS } from '@svc/contract';
import { spanText, withReadableTimes } from '../format.ts';
import { Sign, SIGNS } from './sign.tsx';
import { safe, safeLink } from './values.tsx';

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

export function problemText(
  problem: FormProblem | undefined,
  names: FieldNames = {},
): ToldProblem | undefined {
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
const PREDICATE = /^(is|are|has|have|must|would|stands?|needs?|lies?|add|ends) /;

function fieldSentence({ subject, missing }: FieldName, message: string): string {
  if (message === 'is required') return sentence(missing);
  const spans = message
    .replace(/\b(\d+) seconds\b/, (_, seconds) => spanText(Number(seconds) * 1000))
    .replace(/\b\d+(?= characters\b)/, (most) => Number(most).toLocaleString('en'));
  return sentence(PREDICATE.test(spans) ? `${subject} ${spans}` : `${subject}: ${spans}`);
}

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${withReadableTimes(message.slice(1))}${/[.!?]$/.test(message) ? '' : '.'}`;

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
            <li>{safeLink(`#${path}`, sentence)}</li>
          ))}
        </ul>
      ) : (
        <p>
          {safe(sentence(problem.message))}
          {problem.retryAfter !== undefined && (
            <> Try again in {spanText(problem.retryAfter * 1000)}: what you typed is still here.</>
          )}
        </p>
      )}
    </div>
  );
}

/** The problem of the form on the page. */
export const Problem = createContext<ToldProblem | undefined>(undefined);

export const useWrongFields = () => useContext(Problem)?.fields ?? [];

/** The fault of a field. */
export const useWrong = (name: string): string | undefined =>
  useWrongFields().find(({ path }) => path === name)?.sentence;

type PostFormProps = Omit<JSX.IntrinsicElements['form'], 'method'> & {
  /** invisible, and unchanged */
  sends?: Readonly<Record<string, string>>;
  /** whether compose.js assists */
  composed?: boolean;
};

export const PostForm = ({ sends = {}, composed, children, ...form }: PostFormProps) => (
  <form method="post" {...(composed && { 'data-compose': '' })} {...form}>
    {hiddenInputs(sends)}
    {children}
  </form>
);

/** A blank field counts as absent, so it is left out. */
export const hiddenInputs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(
    ([name, value]) => value !== '' && <input type="hidden" name={name} value={value} />,
  );

interface FieldProps {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
}

type EntryProps = FieldProps & { children: (attributes: EntryAttributes) => VNode };

function Entry({ name, label, hint, children }: EntryProps) {
  const wrong = useWrong(name);
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
  mono?: boolean;
  input?: JSX.IntrinsicElements['input'] & { 'data-term'?: string };
}

export function LineEntry({ value, mono = false, input, ...field }: LineEntryProps) {
  const own = { value, autocomplete: 'off', class: mono ? 'mono' : '', ...input } as const;
  return <Entry {...field}>{(attributes) => <input {...attributes} type="text" {...own} />}</Entry>;
}

type TextEntryProps = FieldProps & {
  value: string;
  max?: number;
  rows: number;
  words?: boolean;
  /** an example, which is never sent */
  placeholder?: string | undefined;
};

export function TextEntry({ value, max, rows, words = false, placeholder, ...field }: TextEntryProps) {
  return (
    <Entry {...field}>
      {(attributes) => (
        <>
          {/* The parser drops the first line feed, so the text needs an additional one. */}
          <textarea
            {...attributes}
            rows={rows}
            class={words ? 'words' : undefined}
            spellcheck
            placeholder={placeholder}
          >
            {`\n${value}`}
          </textarea>
          {max !== undefined && <CountNote counts={field.name} length={[...value].length} max={max} />}
        </>
      )}
    </Entry>
  );
}

interface CountNoteProps {
  /** the field whose characters compose.js counts, or `question` or `sections` for all of their fields */
  counts: string;
  /** characters besides the fields of `sections` */
  base?: number;
  length: number;
  max: number;
  of?: string;
  note?: string;
}

/** Counts code points, as the service does. */
export const CountNote = ({ counts, base, length, max, of, note }: CountNoteProps) => (
  <p class="count-of" data-count={counts} data-base={base} data-max={max}>
    {of && `${of}: `}
    {length.toLocaleString('en')} of {max.toLocaleString('en')} characters{note && `, ${note}`}
  </p>
);

export const TOPIC_NAME = { subject: 'The topic', missing: 'Choose a topic' };

export const TopicEntry = ({ value }: { value: string }) => (
  <Entry name="category_id" label="Topic">
    {(attributes) => (
      <select {...attributes} data-term={`${TOPIC_NAME.missing}.`}>
        {[{ id: '', label: 'Choose a topic' }, ...TOPICS].map(({ id, label }) => (
          <option value={id} selected={id === value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Entry>
);

type DateEntryProps = Pick<FieldProps, 'hint'> & { label: string; value: string };

/** UTC; scripts add a local field. */
export const DateEntry = ({ label, value, hint }: DateEntryProps) => (
  <div data-utc="">
    <Entry name="reveal_at" label={`${label} (UTC)`} hint={hint}>
      {(attributes) => <input {...attributes} type="datetime-local" value={value} />}
    </Entry>
  </div>
);

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
  legend: ComponentChildren;
  kind?: 'modes' | 'panels';
  class?: string;
  isNoted?: boolean;
  children: ComponentChildren;
}

/** A group of choices. A problem links to it. */
export function Choices(props: ChoicesProps) {
  const { name, legend, kind = 'modes', class: more = '', isNoted = true, children } = props;
  const found = useWrong(name);
  const wrong = isNoted ? found : undefined;
  const described = wrong && `${name}-wrong`;
  const look = `${kind}${more}${wrong ? ' wrong' : ''}`;
  return (
    <fieldset class={look} id={name} tabindex={-1} aria-describedby={described}>
      <legend>{legend}</legend>
      <WrongNote id={described} wrong={wrong} />
      {children}
    </fieldset>
  );
}

type WrongNoteProps = { id?: string | undefined; wrong: string | undefined };

export const WrongNote = ({ id, wrong }: WrongNoteProps) =>
  wrong === undefined ? null : (
    <p class="wrong-note" id={id}>
      {safe(wrong)}
    </p>
  );

type ButtonProps = { kind?: 'secondary' | 'danger' | undefined; children: ComponentChildren };

export const Button = ({ kind, children }: ButtonProps) => (
  <button type="submit" class={kind}>
    {children}
  </button>
);

export const Submit = (props: ButtonProps) => (
  <p class="actions">
    <Button {...props} />
  </p>
);
