/** What is printed: tables for people, or a line of JSON each. */
let json = false;
const said = [];

export function asJson() {
  json = true;
}

/** A table: as markdown, or as `{"table", "head", "rows"}`. */
export function table(title, head, rows) {
  if (json) return console.log(JSON.stringify({ table: title, head, rows }));
  const cells = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  say(`\n### ${title}\n\n${cells.join('\n')}`);
}

/** A sentence beside the tables. */
export function note(text) {
  if (json) console.log(JSON.stringify({ note: text.trim() }));
  else say(text);
}

function say(text) {
  said.push(text);
  console.log(text);
}

/** What was printed since it was asked last, for the page that holds it. */
export const takeSaid = () => said.splice(0).join('\n').trim();

export const rate = (value) => `${Math.round(value).toLocaleString('en-US')}/s`;
export const ratio = (value) => value.toFixed(2);
export const milliseconds = (value) => `${value.toFixed(1)} ms`;

/** Of an even number of values the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
