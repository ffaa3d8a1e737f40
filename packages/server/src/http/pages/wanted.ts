/** The forms in which a record can be had at its page's url (docs/specification.md#records-at-their-urls). */
export type Form = 'html' | 'json' | 'markdown';

const FORMS: Readonly<Record<string, Form>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

/** The form an `Accept` header names first by weight, or undefined when it names none of ours. */
export function namedForm(accept: string | undefined): Form | undefined {
  const named = (accept ?? '')
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { form: FORMS[type], weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ form, weight }) => form !== undefined && weight > 0);
  // The sort is stable: of equal ones the first named.
  return named.sort((a, b) => b.weight - a.weight)[0]?.form;
}

/** A page, unless something else is asked for by name. */
export const wantedForm = (accept: string | undefined): Form => namedForm(accept) ?? 'html';

/** A last part of a path, and the form its ending asks for: `abc234.md`. */
export function splitEnding(text: string, accept: string | undefined): { name: string; form: Form } {
  return text.endsWith('.md')
    ? { name: text.slice(0, -'.md'.length), form: 'markdown' }
    : { name: text, form: wantedForm(accept) };
}
