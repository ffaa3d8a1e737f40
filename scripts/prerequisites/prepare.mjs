import { build, buildIsFresh } from './build.mjs';
import { withLock } from './lock.mjs';
import { installPackages, packagesAreInstalled } from './packages.mjs';

/** Installs missing packages and builds stale ones. If nothing is to do, it takes milliseconds and writes nothing. */
export async function prepare() {
  if (packagesAreInstalled() && buildIsFresh()) return;
  await withLock('setup', async () => {
    // Checked again: another process may have done it while this one waited.
    if (!packagesAreInstalled()) await installPackages();
    if (!buildIsFresh()) await build();
  });
}
