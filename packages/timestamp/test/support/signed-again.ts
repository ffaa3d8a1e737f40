import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificates } from '../../../../testing/authority/certificates.ts';

/** A value in DER: its tag, and its content or the values in it. */
export interface Item {
  tag: number;
  content: Buffer;
}

function itemsOf(content: Buffer): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < content.length;) {
    const [tag, first] = [content[at]!, content[at + 1]!];
    const size = first < 0x80 ? 0 : first - 0x80;
    const length = size === 0 ? first : content.readUIntBE(at + 2, size);
    const from = at + 2 + size;
    items.push({ tag, content: content.subarray(from, from + length) });
    at = from + length;
  }
  return items;
}

function encode({ tag, content }: Item): Buffer {
  const { length } = content;
  const size = length < 0x80 ? 0 : length < 0x100 ? 1 : 2;
  const head = Buffer.alloc(2 + size);
  head[0] = tag;
  head[1] = size === 0 ? length : 0x80 + size;
  if (size > 0) head.writeUIntBE(length, 2, size);
  return Buffer.concat([head, content]);
}

export const item = (tag: number, ...parts: (Item | Buffer)[]): Item => ({
  tag,
  content: Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : encode(part)))),
});

export interface Changes {
  /** the fields of TSTInfo */
  info?: (fields: Item[]) => Item[];
  attributes?: (attributes: Item[]) => Item[];
  /** the unsigned signatureAlgorithm */
  algorithm?: Item;
}

const MESSAGE_DIGEST = Buffer.from('06092a864886f70d010904', 'hex');

/** The token with other content, signed again by the key of its authority. */
export function signedAgain(token: Buffer, { folder }: Certificates, changes: Changes): Buffer {
  const { info: changeInfo = (same) => same, attributes: change = (same) => same, algorithm } = changes;
  const [whole] = itemsOf(token);
  const [type, explicit] = itemsOf(whole!.content);
  const [signedData] = itemsOf(explicit!.content);
  const [version, digests, encapsulated, certificates, signers] = itemsOf(signedData!.content);
  const [contentType, wrapped] = itemsOf(encapsulated!.content);
  const [octets] = itemsOf(wrapped!.content);
  const info = encode(item(0x30, ...changeInfo(itemsOf(itemsOf(octets!.content)[0]!.content))));
  const [signer] = itemsOf(signers!.content);
  const [signerVersion, sid, digestAlgorithm, attributes, signatureAlgorithm] = itemsOf(signer!.content);
  const digest = item(0x31, item(0x04, createHash('sha256').update(info).digest()));
  const signed = change(
    itemsOf(attributes!.content)
      .map((one) => (one.content.indexOf(MESSAGE_DIGEST) === 0 ? item(0x30, MESSAGE_DIGEST, digest) : one))
      .toSorted((a, b) => Buffer.compare(encode(a), encode(b))),
  );
  const key = createPrivateKey(readFileSync(join(folder, 'signer.key')));
  const signature = item(0x04, sign('sha256', encode(item(0x31, ...signed)), key));
  const again = [
    signerVersion!,
    sid!,
    digestAlgorithm!,
    item(attributes!.tag, ...signed),
    algorithm ?? signatureAlgorithm!,
    signature,
  ];
  const content = item(0x30, contentType!, item(0xa0, item(0x04, info)));
  const data = item(0x30, version!, digests!, content, certificates!, item(0x31, item(0x30, ...again)));
  return encode(item(0x30, type!, item(0xa0, data)));
}
