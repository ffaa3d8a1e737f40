import { dayText, timeText } from '../format.ts';
import { aroundSkipped, fieldText, localFieldText, momentsAt } from '../local-times.ts';

/**
 * Replaces a field in UTC with a field in the reader's time, and shows the time in UTC as text. A time that the reader's
 * clock skips or shows twice is not sent before the reader corrects it or chooses.
 */
export function addLocalDate(place: HTMLElement): void {
  const utc = place.querySelector('input')!;
  const entry = utc.parentElement!;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const label = utc.labels![0]!;
  label.textContent = label.textContent.replace('(UTC)', `(${zone} time)`);
  // The label, the hint and the error of the field in UTC then belong to this field.
  const local = utc.cloneNode() as HTMLInputElement;
  local.name = '';
  utc.removeAttribute('id');
  utc.hidden = true;
  utc.after(local);
  const inUtc = noteOf('hint', 'local-date-utc');
  const wrong = noteOf('wrong-note', 'local-date-wrong');
  wrong.setAttribute('role', 'status');
  local.after(inUtc, wrong);
  const isRefused = entry.classList.contains('wrong');
  const notes = local.getAttribute('aria-describedby') ?? '';
  const which = document.createElement('select');
  const choice = choiceOf('Your clock shows this time twice. Which one?', which);
  place.append(choice);

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
    entry.classList.toggle('wrong', isRefused || text !== '');
    local.ariaInvalid = String(isRefused || text !== '');
    which.ariaInvalid = String(text !== '');
    which.setAttribute('aria-describedby', wrong.id);
    local.setAttribute('aria-describedby', `${notes} ${inUtc.id} ${wrong.id}`);
  }

  function send(value: string): void {
    utc.value = value;
    const at = Date.parse(`${value}Z`);
    inUtc.textContent = Number.isNaN(at) ? '' : timeText(new Date(at).toISOString());
  }

  local.addEventListener('input', () => {
    const moments = momentsAt(local.value);
    read(moments);
    send(moments.length === 1 ? fieldText(moments[0]!) : '');
  });
  which.addEventListener('input', () => {
    send(which.value);
    say('');
  });
  const toLocal = (): void => {
    const at = new Date(`${utc.value}Z`);
    local.value = Number.isNaN(at.getTime()) ? '' : localFieldText(at);
    read(momentsAt(local.value));
    which.value = utc.value;
    send(utc.value);
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

function choiceOf(text: string, field: HTMLSelectElement): HTMLElement {
  const entry = document.createElement('div');
  entry.className = 'entry';
  const label = document.createElement('label');
  label.htmlFor = field.id = 'local-date-which';
  label.textContent = text;
  entry.append(label, field);
  return entry;
}

function noteOf(kind: string, id: string): HTMLElement {
  const note = document.createElement('p');
  note.className = kind;
  note.id = id;
  return note;
}
