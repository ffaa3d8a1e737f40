import type { VNode } from 'preact';

const WIDTH = 400;
const ROW = 24;
const LABEL = 84;
const DRAWN = 32;

/** Two nodes become one; an odd one moves up unchanged. */
export function TreePicture({ leaves }: { leaves: number }): VNode {
  const levels = levelsOf(leaves).reverse();
  const height = levels.length * ROW;
  return (
    <svg
      class="tree-picture"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`From the root down, the levels of the tree have ${levels.join(', ')} nodes.`}
    >
      {levels.map((count, index) => (
        <Level count={count} most={leaves} y={index * ROW + ROW / 2} isRoot={index === 0} />
      ))}
    </svg>
  );
}

export function levelsOf(leaves: number): number[] {
  const levels = [leaves];
  while (levels.at(-1)! > 1) levels.push(Math.ceil(levels.at(-1)! / 2));
  return levels;
}

type LevelProps = { count: number; most: number; y: number; isRoot: boolean };

function Level({ count, most, y, isRoot }: LevelProps): VNode {
  const room = WIDTH - LABEL - 16;
  const middle = LABEL + room / 2 + 8;
  const width = Math.max(8, (room * Math.log2(count + 1)) / Math.log2(most + 1));
  const step = Math.min(18, room / count);
  return (
    <g class={isRoot ? 'root' : ''}>
      <text x={0} y={y + 4}>
        {isRoot ? (count === most ? 'leaf and root' : 'root') : count.toLocaleString('en')}
      </text>
      {count <= DRAWN ? (
        Array.from({ length: count }, (_, index) => (
          <circle cx={middle + (index - (count - 1) / 2) * step} cy={y} r={Math.min(5, step / 2.5)} />
        ))
      ) : (
        <rect x={middle - width / 2} y={y - 6} width={width} height={12} rx={6} />
      )}
    </g>
  );
}
