import type { DrandChain } from '@svc/protocol/timelock';

/** While selected, the form sends nothing: a second script shows the preview and sends the ciphertext. */
const template = document.querySelector<HTMLTemplateElement>('template[data-blind]')!;
const form = template.closest('form')!;
const words = form.querySelector<HTMLTextAreaElement>('#content')!;
const lines = form.querySelector<HTMLTextAreaElement>('[name=files]')!;
const { blind, lead, most } = template.dataset;
const count = document.createElement('p');
count.className = 'count-of';
const characters = form.querySelector<HTMLElement>('[data-count=content]')!;
words.parentElement!.append(count);
const trouble = document.createElement('p');
trouble.setAttribute('role', 'alert');
form.append(trouble);
template.replaceWith(template.content);
const choice = form.querySelector<HTMLInputElement>('[value=blind]')!;

const show = (): void => {
  const { checked } = choice;
  // Without a name the browser neither sends nor restores it.
  words.name = checked ? '' : 'content';
  lines.name = checked ? '' : 'files';
  words.autocomplete = checked ? 'off' : '';
  words.spellcheck = !checked;
  const bytes = new TextEncoder().encode(words.value).length;
  count.hidden = !checked;
  characters.hidden = checked;
  count.textContent = `${bytes.toLocaleString('en')} of ${Number(most).toLocaleString('en')} bytes`;
  count.classList.toggle('over', bytes > Number(most));
};
form.addEventListener('change', show);
words.addEventListener('input', show);
addEventListener('pageshow', show);
show();

form.addEventListener('submit', (event) => {
  if (!choice.checked) return;
  event.preventDefault();
  import('./seal-blind.tsx').then(
    ({ showOnceMore }) =>
      showOnceMore({ form, words, chain: JSON.parse(blind!) as DrandChain, leadSeconds: Number(lead) }),
    () => (trouble.textContent = 'The encryption code could not be loaded. Nothing was sent. Try again.'),
  );
});
