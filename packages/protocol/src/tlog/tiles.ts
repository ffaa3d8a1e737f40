/** C2SP tlog-tiles. */
export const TILE_WIDTH = 256;

export interface Tile {
  level: number | 'entries';
  index: number;
  /** 1 to 256 */
  width: number;
}

const PATH = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/**
 * @param path after `tile/`
 * @example
 * parseTilePath('0/x001/x234/067'); // { level: 0, index: 1234067, width: 256 }
 * parseTilePath('0/1'); // null
 */
export function parseTilePath(path: string): Tile | null {
  const [, level, digits, partial] = PATH.exec(path) ?? [];
  if (level === undefined || digits === undefined) return null;
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  if (partial !== undefined && width >= TILE_WIDTH) return null;
  const tile = {
    level: level === 'entries' ? ('entries' as const) : Number(level),
    index: Number(digits.replaceAll(/[x/]/g, '')),
    width,
  };
  // Extra groups of zeros would be a second path of the same tile.
  return tile.level !== 'entries' && tile.level > 63 ? null : tilePath(tile) === path ? tile : null;
}

/**
 * After `tile/`.
 * @example
 * tilePath({ level: 'entries', index: 0, width: 3 }); // 'entries/000.p/3'
 */
export function tilePath({ level, index, width }: Tile): string {
  const groups: string[] = [];
  for (let rest = index; groups.length === 0 || rest > 0; rest = Math.floor(rest / 1000))
    groups.unshift(`${groups.length === 0 ? '' : 'x'}${String(rest % 1000).padStart(3, '0')}`);
  return `${level}/${groups.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}
