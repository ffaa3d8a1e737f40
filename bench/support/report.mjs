export const rate = (value) => `${Math.round(value).toLocaleString('en-US')}/s`;
export const ratio = (value) => value.toFixed(2);
export const milliseconds = (value) => `${value.toFixed(1)} ms`;
export const count = (value) => value.toLocaleString('en-US');

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** @returns milliseconds */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Other load affects works in turns alike. @returns the results of each work */
export async function inTurns(turns, works) {
  const results = works.map(() => []);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, work] of works.entries()) results[index].push(await work());
  return results;
}
