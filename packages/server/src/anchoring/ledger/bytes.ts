import { hexToBytes } from '@svc/protocol';
import type { Hex } from '../../chain/port.ts';

export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}

export function fromHex(hex: Hex): Buffer {
  return Buffer.from(hexToBytes(hex.slice(2)));
}
