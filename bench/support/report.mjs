/** What is printed: tables for people, or a line of JSON each. */
let json = false;

export function asJson() {
  json = true;
}

/** A table: as markdown, or as `{"table", "head", "rows"}`. */
export function table(title, head, rows) {
  if (json) return console.log(JSON.stringify({ table: title, head, rows }));
  const cells = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  console.log(`\n### ${title}\n\n${cells.join('\n')}`);
}

/** A sentence beside the tables. */
export function note(text) {
  console.log(json ? JSON.stringify({ note: text.trim() }) : text);
}

export const rate = (value) => `${Math.round(value).toLocaleString('en-US')}/s`;
export const ratio = (value) => value.toFixed(2);
export const milliseconds = (value) => `${value.toFixed(1)} ms`;
