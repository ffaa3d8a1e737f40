/**
 * The index does not export this: only code that checks evidence loads it.
 * @example
 * bytesToHex(keccak256(new Uint8Array())); // 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
 */
export { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
