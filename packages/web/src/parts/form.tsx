import type { ComponentChildren, VNode } from 'preact';
import { spanText } from '../time-text.ts';
import { Sign, SIGNS } from './sign.tsx';
import { sentence, type ToldProblem, wrongWith } from './told-problem.ts';
import { Text, TextLink } from './text.tsx';

export function ProblemSummary({ problem }: { problem: ToldProblem | undefined }): VNode | null {
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
  problem: ToldProblem | undefined;
}

type EntryProps = FieldProps & { children: (attributes: EntryAttributes) => VNode };

export function Entry({ name, label, hint, problem, children }: EntryProps): VNode {
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
      {wrong && (
        <p class="wrong-note" id={`${name}-wrong`}>
          <Text>{wrong}</Text>
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

type LineEntryProps = FieldProps & { value: string; type?: 'text' | 'datetime-local'; mono?: boolean };

export function LineEntry({ value, type = 'text', mono = false, ...field }: LineEntryProps): VNode {
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

type TextEntryProps = FieldProps & { value: string; max: number; rows: number; words?: boolean };

/** Counts code points, as the service does. */
export function TextEntry({ value, max, rows, words = false, ...field }: TextEntryProps): VNode {
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

export function Hidden({ values }: { values: Readonly<Record<string, string>> }): VNode {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

export function Done({ children }: { children: ComponentChildren }): VNode {
  return (
    <p class="done" role="status">
      <Sign d={SIGNS.pass} /> <span>{children}</span>
    </p>
  );
}
