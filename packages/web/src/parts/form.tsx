import type { ComponentChildren, VNode } from 'preact';
import { spanText } from '../time-text.ts';
import { Sign, SIGNS } from './sign.tsx';
import { Text } from './text.tsx';

/** Why a form was not taken: what was typed stays in it. */
export interface FormProblem {
  message: string;
  details?: readonly { path: string; message: string }[] | undefined;
  /** seconds until it makes sense to try again */
  retryAfter?: number | undefined;
  /** the session is over: signing in again, in another tab, saves what was typed */
  signedOut?: boolean;
}

/** What a field is called, by its name in the contract. */
export type Labels = Readonly<Record<string, string>>;

/** Read first, and leads to each field that is meant. */
export function ProblemSummary({
  problem,
  labels = {},
}: {
  problem: FormProblem | undefined;
  labels?: Labels;
}): VNode | null {
  if (!problem) return null;
  const known = (problem.details ?? []).filter(({ path }) => path in labels);
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
      ) : known.length > 0 ? (
        <ul>
          {known.map(({ path, message }) => (
            <li>
              <a href={`#${path}`}>{labels[path]}</a> <Text>{message}</Text>
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

const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

interface FieldProps {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** the id of a hint that stands elsewhere */
  describedBy?: string;
  problem: FormProblem | undefined;
}

/** What is wrong with one field, beside it. */
function messageOf(problem: FormProblem | undefined, name: string): string | undefined {
  return problem?.details?.find(({ path }) => path === name)?.message;
}

/** A field with its label, its hint and what is wrong with it. `children` is given the attributes to carry. */
export function Entry({
  name,
  label,
  hint,
  describedBy,
  problem,
  children,
}: FieldProps & { children: (attributes: EntryAttributes) => VNode }): VNode {
  const wrong = messageOf(problem, name);
  const described = [describedBy, hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
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
      {wrong && (
        <p class="wrong-note" id={`${name}-wrong`}>
          <Text>{sentence(wrong)}</Text>
        </p>
      )}
    </div>
  );
}

export interface EntryAttributes {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid'?: 'true';
}

export function LineEntry({
  value,
  type = 'text',
  mono = false,
  ...field
}: FieldProps & { value: string; type?: 'text' | 'datetime-local'; mono?: boolean }): VNode {
  return (
    <Entry {...field}>
      {(attributes) =>
        type === 'text' ? (
          <input {...attributes} type="text" value={value} autocomplete="off" class={mono ? 'mono' : ''} />
        ) : (
          <input {...attributes} type="datetime-local" value={value} />
        )
      }
    </Entry>
  );
}

/** Text whose characters are counted as the service counts them: by code point. */
export function TextEntry({
  value,
  max,
  rows,
  words = false,
  ...field
}: FieldProps & { value: string; max: number; rows: number; words?: boolean }): VNode {
  return (
    <Entry {...field}>
      {(attributes) => (
        <>
          {/* The first line feed inside is the parser's, not the text's. */}
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

/** What a form carries on from the step before. */
export function Hidden({ values }: { values: Readonly<Record<string, string>> }): VNode {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** What was done, said once. */
export function Done({ children }: { children: ComponentChildren }): VNode {
  return (
    <p class="done" role="status">
      <Sign d={SIGNS.pass} /> <span>{children}</span>
    </p>
  );
}
