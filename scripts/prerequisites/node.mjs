// Any Node.js must be able to run this file: plain syntax, no imports of ours.
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    'This needs Node.js 20.19 or newer (20, 22 and 24 are known to work); this is ' + process.versions.node,
  );
  process.exit(1);
}
