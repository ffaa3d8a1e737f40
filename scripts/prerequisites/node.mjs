// Any Node.js must be able to run this file: plain syntax, no imports of ours.

const WANTED = [20, 19];

export function requireNode(version = process.versions.node) {
  const parts = version.split('.').map(Number);
  const enough = parts[0] > WANTED[0] || (parts[0] === WANTED[0] && parts[1] >= WANTED[1]);
  if (enough) return;
  console.error(
    'This needs Node.js ' +
      WANTED.join('.') +
      ' or newer (20, 22 and 24 are known to work); this is ' +
      version,
  );
  process.exit(1);
}
