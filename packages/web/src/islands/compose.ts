import { type QuestionFields, writtenQuestion } from '../question-text.ts';
import { presetTime } from '../reveal-presets.ts';
import { addChances } from './chances.ts';
import { addLocalDate } from './local-date.ts';

/** Counts characters, adds local dates, prevents a second submit. Forms work without it. */
for (const count of document.querySelectorAll<HTMLElement>('[data-count]')) {
  const max = Number(count.dataset['max']);
  const form = count.closest('form')!;
  const show = (): void => {
    const { count: name, base = '0' } = count.dataset;
    const length = Number(base) + countIn(form, name!);
    count.textContent = count.textContent.replace(/[\d,]+(?= of )/, length.toLocaleString('en'));
    count.classList.toggle('over', length > max);
  };
  form.addEventListener('input', show);
  show();
}

/** Fields of a question are stored as one text. */
function countIn(form: HTMLFormElement, name: string): number {
  const value = (field: string): string => {
    const text = new FormData(form).get(field);
    return typeof text === 'string' ? text.replaceAll('\r\n', '\n') : '';
  };
  const [question, asks, outcomes, unit] = ['question', 'asks', 'outcomes', 'unit'].map(value);
  const [levels, criteria, source] = ['levels', 'criteria', 'source'].map(value);
  const typed = { question, asks, outcomes, unit, levels, criteria, source } as QuestionFields;
  if (name === 'question') return [...writtenQuestion(typed)].length;
  const isSection = (field: string): boolean => field.startsWith('section_') || field === 'files';
  const names = name === 'sections' ? [...new FormData(form).keys()].filter(isSection) : [name];
  // A line feed separates the files from the sections.
  const between = name === 'sections' && value('files') !== '' ? 1 : 0;
  return names.reduce((sum, field) => sum + [...value(field)].length, between);
}

for (const group of document.querySelectorAll<HTMLElement>('[data-chances]')) addChances(group);

/** A reader in UTC needs no other field. */
const isUtc = (at: Date): boolean => at.getTimezoneOffset() === 0;

for (const place of document.querySelectorAll<HTMLElement>('[data-utc]')) {
  if (![0, 6].every((month) => isUtc(new Date(2026, month)))) addLocalDate(place);
}

for (const place of document.querySelectorAll<HTMLElement>('.presets')) {
  const choices = [...place.querySelectorAll<HTMLInputElement>('input')];
  const utc = place.closest('form')!.querySelector<HTMLInputElement>('[name=reveal_at]')!;
  place.addEventListener('change', ({ target }) => {
    const at = presetTime((target as HTMLInputElement).value, Date.now());
    if (at === undefined) return;
    utc.value = at;
    utc.dispatchEvent(new Event('input'));
  });
  utc.closest('.when')!.addEventListener('input', ({ target }) => {
    if ((target as HTMLInputElement).type === 'datetime-local')
      for (const choice of choices) choice.checked = choice.value === 'date';
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-compose]')) {
  // chances.ts disables the button that spreads the rest.
  const buttons = () => form.querySelectorAll<HTMLButtonElement>('button:not([data-spread])');
  form.addEventListener('submit', (event) => {
    // A copy keeps the page.
    if ((event.submitter as HTMLButtonElement | null)?.value === 'copy') return;
    // A disabled button is not sent.
    setTimeout(() => {
      if (event.defaultPrevented) return;
      buttons().forEach((button) => (button.disabled = true));
    });
  });
  addEventListener('pageshow', () => buttons().forEach((button) => (button.disabled = false)));
}
