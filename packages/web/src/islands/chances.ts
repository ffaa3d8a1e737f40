// Chances in a form: a slider for each field, their sum, and a button that makes it 100 %.
import { NO_SUM, ONE_PERCENT, percentText, readPercent, scale, spread, sumText, WHOLE } from '../chance.ts';

export function addChances(group: HTMLElement): void {
  const fields = [...group.querySelectorAll<HTMLInputElement>('input[inputmode]')];
  const valueOf = (field: HTMLInputElement): number => {
    const read = field.value.trim() === '' ? 0 : readPercent(field.value.trim());
    return typeof read === 'number' ? read : 0;
  };
  /** On the page of a free forecast, the reader names the outcomes. */
  const isNamed = (field: HTMLInputElement): boolean =>
    field.parentElement!.querySelector<HTMLInputElement>('[name^=forecast_name]')!.value.trim() !== '';
  const sum = (): number => fields.reduce((total, field) => total + valueOf(field), 0);
  const output = group.querySelector('output');
  const button = group.querySelector<HTMLButtonElement>('[data-spread]');

  const forecast = group.closest('fieldset')!;
  let wrongSum = output && sum() !== WHOLE ? forecast.querySelector(':scope > .wrong-note') : null;

  const show = (): void => {
    for (const field of fields) sliderOf(field).value = String(valueOf(field) / ONE_PERCENT);
    const total = sum();
    if (output) {
      output.textContent = total === 0 ? NO_SUM : sumText(total);
      output.classList.toggle('begun', total > 0);
      output.classList.toggle('over', total > WHOLE);
    }
    if (!button) return;
    button.disabled = total === WHOLE || !fields.some(isNamed);
    button.textContent = total > WHOLE ? 'Scale to 100 %' : 'Divide the rest evenly';
    if (total !== WHOLE || !wrongSum) return;
    clearFault(wrongSum);
    wrongSum = null;
  };
  const sliderOf = (field: HTMLInputElement): HTMLInputElement =>
    field.parentElement!.querySelector<HTMLInputElement>('[type=range]')!;
  const write = (field: HTMLInputElement, millionths: number): void => {
    field.value = percentText(millionths);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };

  for (const field of fields)
    sliderOf(field).addEventListener('input', ({ target }) =>
      write(field, Number((target as HTMLInputElement).value) * ONE_PERCENT),
    );
  // After the sliders' own listeners. The names count too: they decide which fields a click fills.
  group.addEventListener('input', ({ isTrusted, target }) => {
    show();
    // The sum must not cover the field in use: its scroll margin leaves room for the sum.
    if (isTrusted) (target as HTMLElement).scrollIntoView({ block: 'nearest' });
  });
  button?.addEventListener('click', () => {
    const rest = WHOLE - sum();
    if (rest < 0) {
      const given = fields.filter((field) => valueOf(field) > 0);
      const shares = scale(given.map(valueOf));
      return given.forEach((field, at) => write(field, shares[at]!));
    }
    const named = fields.filter(isNamed);
    const blank = named.filter((field) => field.value.trim() === '');
    const into = blank.length > 0 ? blank : named;
    const shares = spread(rest, into.length);
    into.forEach((field, at) => write(field, valueOf(field) + shares[at]!));
  });
  show();
}

/** Removes the note of a group and its line in the summary of the page. */
function clearFault(note: Element): void {
  const group = note.parentElement!;
  const line = document.querySelector(`.problem a[href="#${group.id}"]`)?.closest('li');
  const summary = line?.closest('.problem');
  group.classList.remove('wrong');
  group.removeAttribute('aria-describedby');
  note.remove();
  line?.remove();
  if (summary && !summary.querySelector('li')) summary.remove();
}
