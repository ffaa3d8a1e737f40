// Chances in a form: a slider for each field, their sum, and a button that makes it 100 %.
import { ONE_PERCENT, percentText, readPercent, scale, spread, sumText, WHOLE } from '../chance.ts';

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

  const show = (): void => {
    for (const field of fields) sliderOf(field).value = String(valueOf(field) / ONE_PERCENT);
    const total = sum();
    if (output) {
      output.textContent = total === 0 ? '' : `They ${sumText(total)}.`;
      output.classList.toggle('over', total > WHOLE);
    }
    if (!button) return;
    button.disabled = total === WHOLE || !fields.some(isNamed);
    button.textContent = total > WHOLE ? 'Scale to 100 %' : 'Spread the rest';
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
  group.addEventListener('input', show);
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
