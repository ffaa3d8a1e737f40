import { dayText } from '../format.ts';
import { aroundSkipped, fieldText, localFieldText, momentsAt } from '../local-times.ts';

/**
 * Adds a field in the reader's time to a field in UTC. A time that the reader's clock skips or shows twice is not sent
 * before the reader corrects it or chooses.
 */
export function addLocalDate(place: HTMLElement): void {
  const utc = place.querySelector('input')!;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const local = document.createElement('input');
  local.type = 'datetime-local';
  const label = utc.labels![0]!.textContent;
  const entry = entryOf('local-date', label.replace('(UTC)', `in your time (${zone})`), local);
  const which = document.createElement('select');
  const choice = entryOf('local-date-which', 'Your clock shows this time twice. Which one?', which);
  const wrong = document.createElement('p');
  wrong.className = 'wrong-note';
  wrong.id = 'local-date-wrong';
  wrong.setAttribute('role', 'status');
  place.prepend(entry);
  place.append(choice, wrong);
  place.classList.add('two-dates');

  /** Shows what the local field means. */
  function read(moments: readonly Date[]): void {
    const isSkipped = local.value !== '' && moments.length === 0;
    const around = isSkipped ? aroundSkipped(local.value).map(onClock).join(' or ') : '';
    say(
      isSkipped
        ? `${onClock(local.value)} does not exist in ${zone}, because clocks go forward then. Enter ${around}.`
        : '',
    );
    choice.hidden = moments.length < 2;
    which.replaceChildren(
      new Option('Choose one', ''),
      ...moments.map(
        (at, index) =>
          new Option(
            `the ${index === 0 ? 'first' : 'second'}, ${fieldText(at).slice(11)} UTC`,
            fieldText(at),
          ),
      ),
    );
  }

  function say(text: string): void {
    wrong.textContent = text;
    entry.classList.toggle('wrong', text !== '');
    for (const field of [local, which]) {
      field.toggleAttribute('aria-invalid', text !== '');
      field.setAttribute('aria-describedby', text === '' ? '' : wrong.id);
    }
  }

  local.addEventListener('input', () => {
    const moments = momentsAt(local.value);
    read(moments);
    utc.value = moments.length === 1 ? fieldText(moments[0]!) : '';
  });
  which.addEventListener('input', () => {
    utc.value = which.value;
    say('');
  });
  const toLocal = (): void => {
    const at = new Date(`${utc.value}Z`);
    local.value = Number.isNaN(at.getTime()) ? '' : localFieldText(at);
    read(momentsAt(local.value));
    which.value = utc.value;
  };
  utc.addEventListener('input', toLocal);
  toLocal();

  utc.form!.addEventListener('submit', (event) => {
    if (utc.value !== '' || local.value === '' || !local.checkVisibility()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (choice.hidden) return local.focus();
    say(`Choose which ${local.value.slice(11)} you mean.`);
    which.focus();
  });
}

/** `28 March 2027, 02:30` */
const onClock = (local: string): string => `${dayText(local)}, ${local.slice(11)}`;

function entryOf(id: string, text: string, field: HTMLElement): HTMLElement {
  const entry = document.createElement('div');
  entry.className = 'entry';
  const label = document.createElement('label');
  label.htmlFor = field.id = id;
  label.textContent = text;
  entry.append(label, field);
  return entry;
}
