/**
 * Keccak-256 as Ethereum has it, of bytes, as 32 bytes; apart from the index, so that only those load it who check evidence.
 * @example
 * bytesToHex(keccak256(new Uint8Array())); // 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
 */
export { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
