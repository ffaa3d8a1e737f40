// Chances in a form: a slider for each field, their sum, and a button that spreads the rest.
import { percentText, readPercent, ONE_PERCENT, spread, sumText, WHOLE } from '../chance.ts';

export function addChances(group: HTMLElement): void {
  const fields = [...group.querySelectorAll<HTMLInputElement>('input[inputmode]')];
  const valueOf = (field: HTMLInputElement): number => {
    const read = field.value.trim() === '' ? 0 : readPercent(field.value.trim());
    return typeof read === 'number' ? read : 0;
  };
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
    if (button) button.disabled = total >= WHOLE;
  };
  const sliderOf = (field: HTMLInputElement): HTMLInputElement =>
    field.parentElement!.querySelector<HTMLInputElement>('[type=range]')!;
  const write = (field: HTMLInputElement, millionths: number): void => {
    field.value = percentText(millionths);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };

  for (const field of fields) {
    field.addEventListener('input', show);
    sliderOf(field).addEventListener('input', ({ target }) =>
      write(field, Number((target as HTMLInputElement).value) * ONE_PERCENT),
    );
  }
  button?.addEventListener('click', () => {
    const blank = fields.filter((field) => field.value.trim() === '');
    const into = blank.length > 0 ? blank : fields;
    const shares = spread(WHOLE - sum(), into.length);
    into.forEach((field, at) => write(field, valueOf(field) + shares[at]!));
  });
  show();
}
