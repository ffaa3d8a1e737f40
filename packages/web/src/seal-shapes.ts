// The seal, the one strong image of this service: whole while the words are sealed, broken after they opened, empty
// after a retraction. The shapes differ, not only the colors.

const [CENTER, RADIUS, BUMPS] = [10, 7.9, 12];
const BUMP = RADIUS * Math.sin(Math.PI / BUMPS) * 1.05;

const at = (turn: number): string => {
  const angle = (turn / BUMPS) * 2 * Math.PI - Math.PI / 2;
  return [Math.cos(angle), Math.sin(angle)].map((part) => (CENTER + RADIUS * part).toFixed(1)).join(' ');
};
/** The edge from one bump to another, clockwise from the top. */
const edge = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, bump) => `A${BUMP.toFixed(1)} ${BUMP.toFixed(1)} 0 0 1 ${at(from + bump + 1)}`,
  ).join('');

const DISC = `M${at(0)}${edge(0, BUMPS)}Z`;
/** Two lines of text. */
const IMPRESSION = 'M6.3 7.6h7.4v1.5H6.3zM6.3 11h5v1.5h-5z';
const RIGHT = `M${at(0)}${edge(0, BUMPS / 2)}L11.3 14.2 8.9 11.6 11.5 8.6 9 5.4Z`;
const LEFT = `M${at(BUMPS / 2)}${edge(BUMPS / 2, BUMPS)}L9 5.4 11.5 8.6 8.9 11.6 11.3 14.2Z`;

const FILLED = 'fill="currentColor" stroke="none"';
/** As markup, because a list of etches draws it dozens of times. */
export const SEAL_SHAPES = {
  sealed: `<path ${FILLED} fill-rule="evenodd" d="${DISC}${IMPRESSION}"/>`,
  revealed: `<path ${FILLED} d="${LEFT}" transform="rotate(-9 10 19) translate(-.7 0)"/><path ${FILLED} d="${RIGHT}" transform="rotate(9 10 19) translate(.7 0)"/>`,
  retracted: `<path d="${DISC}" stroke-width="1.3" stroke-dasharray="2.4 1.7"/>`,
} as const;

export type SealState = keyof typeof SEAL_SHAPES;
