/** The forms of docs/specification.md#records-at-their-urls. */
export type Form = 'html' | 'json' | 'markdown';

const FORMS: Readonly<Record<string, Form>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

export function namedForm(accept: string | undefined): Form | undefined {
  const named = (accept ?? '')
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { form: FORMS[type], weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ form, weight }) => form !== undefined && weight > 0);
  return named.sort((a, b) => b.weight - a.weight)[0]?.form;
}

export const wantedForm = (accept: string | undefined): Form => namedForm(accept) ?? 'html';

export function splitEnding(text: string, accept: string | undefined): { name: string; form: Form } {
  return text.endsWith('.md')
    ? { name: text.slice(0, -'.md'.length), form: 'markdown' }
    : { name: text, form: wantedForm(accept) };
}
