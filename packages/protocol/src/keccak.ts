/**
 * Only code that checks evidence loads it.
 * @example
 * bytesToHex(keccak256(new Uint8Array())).slice(0, 8); // 'c5d24601'
 */
export { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
