import { build, buildIsFresh } from './build.mjs';
import { withLock } from './lock.mjs';
import { installPackages, packagesAreInstalled } from './packages.mjs';

export async function prepare() {
  if (packagesAreInstalled() && buildIsFresh()) return;
  await withLock('setup', async () => {
    // A different process may have done it meanwhile.
    if (!packagesAreInstalled()) await installPackages();
    if (!buildIsFresh()) await build();
  });
}
