import type { DrandChain } from '@svc/protocol/timelock';

/** While selected, the form sends nothing: a second script shows the preview and sends the ciphertext. */
const template = document.querySelector<HTMLTemplateElement>('template[data-blind]')!;
const form = template.closest('form')!;
const sections = [...form.querySelectorAll<HTMLTextAreaElement>('[name^=section_]')];
const fields = sections.length > 0 ? sections : [form.querySelector<HTMLTextAreaElement>('#content')!];
const names = fields.map(({ name }) => name);
const lines = form.querySelector<HTMLTextAreaElement>('[name=files]')!;
const { blind, lead, most } = template.dataset;
const count = document.createElement('p');
count.className = 'count-of';
const characters = form.querySelector<HTMLElement>('[data-count]')!;
characters.after(count);
const trouble = document.createElement('p');
trouble.setAttribute('role', 'alert');
form.append(trouble);
template.replaceWith(template.content);
const choice = form.querySelector<HTMLInputElement>('[value=blind]')!;

/** A preregistration is one text with a heading for each field, as `sectionWords` writes it. */
const textOf = (): string => {
  const words =
    sections.length === 0
      ? fields[0]!.value
      : sections.map(({ labels, value }) => `# ${labels[0]!.textContent}\n${value.trim()}\n`).join('\n');
  // The choice “Text” hides files that were added before.
  const kind = form.querySelector<HTMLInputElement>('[name=kind]:checked')?.value;
  const first = kind === undefined || kind === 'files' ? lines.value : '';
  return first === '' || words === '' ? first + words : `${first}\n${words}`;
};

const show = (): void => {
  const { checked } = choice;
  // Without a name the browser neither sends nor restores it.
  fields.forEach((field, at) => {
    field.name = checked ? '' : names[at]!;
    field.autocomplete = checked ? 'off' : '';
    field.spellcheck = !checked;
  });
  lines.name = checked ? '' : 'files';
  const bytes = new TextEncoder().encode(textOf()).length;
  count.hidden = !checked;
  characters.hidden = checked;
  count.textContent = `${bytes.toLocaleString('en')} of ${Number(most).toLocaleString('en')} bytes`;
  count.classList.toggle('over', bytes > Number(most));
};
form.addEventListener('change', show);
form.addEventListener('input', show);
addEventListener('pageshow', show);
show();

form.addEventListener('submit', (event) => {
  if (!choice.checked) return;
  event.preventDefault();
  const chain = JSON.parse(blind!) as DrandChain;
  import('./seal-blind.tsx').then(
    ({ showOnceMore }) =>
      showOnceMore({ form, fields, lines, text: textOf(), chain, leadSeconds: Number(lead) }),
    () => (trouble.textContent = 'The encryption code could not be loaded. Nothing was sent. Try again.'),
  );
});
