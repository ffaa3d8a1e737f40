// The page about what it costs holds what the bench printed, each part between two marks: `<!-- bench: create -->` and
// `<!-- bench: end -->`. Around them stands what people wrote.

const END = '<!-- bench: end -->';
const beginOf = (part) => `<!-- bench: ${part} -->`;

/** The parts that have no place in the page. */
export function withoutPlace(page, parts) {
  return parts.filter((part) => placeOf(page, part) === undefined);
}

/** The page with `text` in the place of a part, and nothing else changed. */
export function withFigures(page, part, text) {
  const { from, to } = placeOf(page, part);
  return `${page.slice(0, from)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

function placeOf(page, part) {
  const begin = beginOf(part);
  const at = page.indexOf(begin);
  if (at < 0) return undefined;
  const from = at + begin.length;
  const to = page.indexOf(END, from);
  const next = page.indexOf('<!-- bench: ', from);
  return to >= 0 && to === next ? { from, to } : undefined;
}
