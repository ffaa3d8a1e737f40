import { build, buildIsFresh } from './build.mjs';
import { withLock } from './lock.mjs';
import { installPackages, packagesAreInstalled } from './packages.mjs';

/** Installs what is missing and builds what is stale. Costs milliseconds, and writes nothing, when all is well. */
export async function prepare() {
  if (packagesAreInstalled() && buildIsFresh()) return;
  await withLock('setup', async () => {
    // Asked again: another process may have done it while this one waited.
    if (!packagesAreInstalled()) await installPackages();
    if (!buildIsFresh()) await build();
  });
}
