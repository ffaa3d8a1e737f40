/**
 * `{ table, row, column, value, text }` for each number: a table by its title without numbers and its occurrence, a row
 * by its first cell.
 */
export function figures(report) {
  const seen = new Map();
  return report
    .split('\n')
    .filter((line) => line.startsWith('{"table"'))
    .flatMap((line) => {
      const { table, head, rows } = JSON.parse(line);
      const name = table.replace(/\d[\d,.]*/g, '#');
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      const title = times > 1 ? `${name} (${times})` : name;
      return rows.flatMap(([row, ...cells]) =>
        cells.flatMap((cell, index) => {
          const value = amount(String(cell));
          return value === undefined
            ? []
            : [{ table: title, row: String(row), column: head[index + 1], value, text: String(cell) }];
        }),
      );
    });
}

/** `1,740/s`, `0.58`, `2.5 ms`, `23 %`; else undefined. */
function amount(text) {
  const number = /^(\d[\d,]*(?:\.\d+)?)(?:\s*\S{1,4})?$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number.replaceAll(',', ''));
}
