import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

const { pack } = createRequire(new URL('../../packages/cli/package.json', import.meta.url))('tar-stream');

/** npm uses this time too, because zip files allow no earlier one. */
const MTIME = new Date('1985-10-26T08:15:00Z');

/** Reproducible: sorted, with fixed times and owners. */
export async function tarball(files) {
  const tar = pack();
  for (const [path, contents] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    tar.entry(
      {
        name: `package/${path}`,
        mtime: MTIME,
        mode: path.startsWith('bin/') ? 0o755 : 0o644,
        uid: 0,
        gid: 0,
      },
      Buffer.from(contents),
    );
  tar.finalize();
  const packed = gzipSync(await buffer(tar), { level: 9 });
  // 255 means an unknown system.
  packed[9] = 255;
  return packed;
}
