import { build, buildIsFresh } from './build.mjs';
import { withLock } from './lock.mjs';
import { installPackages, packagesAreInstalled } from './packages.mjs';

/** Milliseconds if nothing is to do. */
export async function prepare() {
  if (packagesAreInstalled() && buildIsFresh()) return;
  await withLock('setup', async () => {
    // Another process may have done it.
    if (!packagesAreInstalled()) await installPackages();
    if (!buildIsFresh()) await build();
  });
}
