import { shortHash } from './values.tsx';

const STEP = 64;
const WIDTH = 320;
const BOX = 150;

type ProofPathProps = { path: readonly string[]; proof: readonly string[]; root: string };

/** Folded hashes on the left, siblings on the right, the leaf at the bottom. */
export function ProofPath({ path, proof, root }: ProofPathProps) {
  const height = (path.length - 1) * STEP + 56;
  const y = (level: number): number => height - 28 - level * STEP;
  const reached = path.at(-1) === root;
  return (
    <svg
      class="proof-path"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`${proof.length} folds lead from the leaf ${shortHash(path[0]!)} to ${shortHash(path.at(-1)!)}, which is ${reached ? '' : 'not '}the root ${shortHash(root)}.`}
    >
      {proof.map((sibling, level) => (
        <g>
          <path class="edge" d={`M${BOX / 2 + 4} ${y(level) - 16}V${y(level + 1) + 16}`} />
          <path class="edge sibling" d={`M${WIDTH - BOX / 2 - 4} ${y(level) - 16}v-8H${BOX / 2 + 4}`} />
          {box(WIDTH - BOX - 4, y(level), 'sibling', 'sibling', sibling)}
        </g>
      ))}
      {path.map((hash, level) => {
        const isRoot = level === path.length - 1;
        const kind = isRoot ? (reached ? 'root' : 'wrong') : level === 0 ? 'leaf' : 'fold';
        const label = isRoot
          ? level === 0
            ? 'leaf and root'
            : 'root'
          : level === 0
            ? 'leaf'
            : `fold ${level}`;
        return box(4, y(level), kind, label, hash);
      })}
    </svg>
  );
}

type Kind = 'leaf' | 'fold' | 'root' | 'wrong' | 'sibling';

const box = (x: number, y: number, kind: Kind, label: string, hash: string) => (
  <g class={`box ${kind}`}>
    <rect x={x} y={y - 17} width={BOX} height={34} rx={6} />
    <text class="label" x={x + 8} y={y - 4}>
      {label}
    </text>
    <text class="value" x={x + 8} y={y + 11}>
      {shortHash(hash)}
    </text>
  </g>
);
