const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** The two largest units: `3 d 4 h`. */
export function durationWords(seconds: number): string {
  let rest = Math.abs(seconds);
  const parts = UNITS.flatMap(([unit, length]) => {
    const amount = Math.floor(rest / length);
    rest -= amount * length;
    return amount > 0 ? [`${amount} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ') || '0 s';
}
