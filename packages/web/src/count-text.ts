export const countText = (
  count: number,
  one: string,
  many = `${one.replace(/([^aeiou])y$/, '$1ie')}${/[sxh]$/.test(one) ? 'es' : 's'}`,
): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
