let kept = { tables: [], notes: [] };

export function table(title, head, rows) {
  kept.tables.push({ table: title, head, rows });
  const cells = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  console.log(`\n### ${title}\n\n${cells.join('\n')}`);
}

export function note(text) {
  kept.notes.push(text);
  console.log(`\n${text}`);
}

export function takeReport() {
  const report = kept;
  kept = { tables: [], notes: [] };
  return report;
}

export const rate = (value) => `${Math.round(value).toLocaleString('en-US')}/s`;
export const ratio = (value) => value.toFixed(2);
export const milliseconds = (value) => `${value.toFixed(1)} ms`;

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
