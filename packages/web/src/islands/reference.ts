interface Entry {
  id: string;
  label: string;
  text: string;
  isField: boolean;
}

const SHOWN = 30;

const search = document.querySelector<HTMLElement>('.reference-search')!;
const input = search.querySelector('input')!;
const list = search.querySelector('ul')!;
const announcement = search.querySelector('p')!;
let entries: Entry[] | undefined;

const collected = (): Entry[] =>
  [...document.querySelectorAll<HTMLElement>('.reference :is(h3, h5)[id], .reference .facts > [id]')].map(
    (element) => {
      const isField = element.tagName === 'DIV';
      const beside = isField ? '' : (element.nextElementSibling?.textContent ?? '');
      const label = isField
        ? element.id
        : `${element.textContent}${element.textContent === element.id ? '' : ` (${element.id})`}`;
      return {
        id: element.id,
        label,
        text: `${label} ${isField ? element.textContent : beside}`.toLowerCase(),
        isField,
      };
    },
  );

function find(): void {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  entries ??= collected();
  const found =
    words.length === 0 ? [] : entries.filter(({ text }) => words.every((word) => text.includes(word)));
  const rank = ({ label, isField }: Entry): number =>
    (words.every((word) => label.toLowerCase().includes(word)) ? 0 : 2) + (isField ? 1 : 0);
  found.sort((a, b) => rank(a) - rank(b));
  list.replaceChildren(
    ...found.slice(0, SHOWN).map(({ id, label }) => {
      const link = document.createElement('a');
      link.href = `#${id}`;
      link.textContent = label;
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  announcement.textContent =
    words.length === 0
      ? ''
      : `${found.length} found${found.length > SHOWN ? `, the first ${SHOWN} shown` : ''}`;
}

input.addEventListener('input', find);
search.hidden = false;
