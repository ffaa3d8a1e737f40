/** Keccak-256 as Ethereum has it; apart from the index, so that only those load it who check evidence. */
export { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
