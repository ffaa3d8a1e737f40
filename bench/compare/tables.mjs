// What a report prints, read again: reports of different commits are compared by their tables.

/**
 * The figures of a report: `{ table, row, column, value, text }` for each cell that is a number. A table is known by its
 * title without its numbers (and by how often it came), a row by its first cell.
 */
export function figures(report) {
  const found = [];
  const seen = new Map();
  let title = '';
  let columns;
  for (const line of report.split('\n')) {
    if (line.startsWith('### ')) {
      const name = line.slice(4).replace(/\d[\d,.]*/g, '#');
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      title = times > 1 ? `${name} (${times})` : name;
      columns = undefined;
    } else if (!line.startsWith('|')) columns = undefined;
    else {
      const [first, ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      if (columns === undefined) columns = cells;
      else if (first !== '---')
        for (const [index, text] of cells.entries()) {
          const value = amount(text);
          if (value !== undefined)
            found.push({ table: title, row: first, column: columns[index], value, text });
        }
    }
  }
  return found;
}

/** `1,740/s`, `0.58`, `2.5 ms`, `23 %`; undefined of what is no number. */
function amount(text) {
  const number = /^(\d[\d,]*(?:\.\d+)?)(?:\s*\S{1,4})?$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number.replaceAll(',', ''));
}
