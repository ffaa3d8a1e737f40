/** A table for people, as markdown. */
export function table(title, head, rows) {
  const cells = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  console.log(`\n### ${title}\n\n${cells.join('\n')}`);
}

export const rate = (value) => `${Math.round(value).toLocaleString('en-US')}/s`;
export const ratio = (value) => value.toFixed(2);
export const milliseconds = (value) => `${value.toFixed(1)} ms`;
