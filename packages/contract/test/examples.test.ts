import { createHash } from 'node:crypto';
import { ROUTES } from '@svc/contract';
import { hashDescription, isPromiseSigned, parsePromise, promiseWords } from '@svc/protocol';
import { describe, expect, it } from 'vitest';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const hex = (text: string) => Buffer.from(text, 'hex');

// The rules of docs/specification.md, written independently.
const leafOf = (userId: string, hash: string) =>
  sha256(Uint8Array.of(0), hex(userId.replaceAll('-', '')), hex(hash));
const nodeOf = (one: Buffer, other: Buffer) =>
  sha256(Uint8Array.of(1), ...(Buffer.compare(one, other) < 0 ? [one, other] : [other, one]));

describe('examples', () => {
  const { etch } = ROUTES.getEtch.success.example;
  const receipt = ROUTES.getReceipt.success.example;
  const { batch } = ROUTES.getBatch.success.example;

  it('have correct hashes', () => {
    const { author, created_at, salt, content, hash, canonical_string } = etch;
    expect(canonical_string).toBe(`svc:v1|${author.user_id}|${created_at}|${salt}|${content}`);
    expect(sha256(Buffer.from(canonical_string ?? '')).toString('hex')).toBe(hash);
  });

  it('show a promise that is signed and covers the content of the request', () => {
    const { promise, etch: sealed } = ROUTES.createEtch.success.example;
    const { fields } = parsePromise(promise);
    expect(isPromiseSigned(promise)).toBe(true);
    expect(fields).toMatchObject({ etchId: sealed.id, hash: sealed.hash, revealAt: sealed.reveal_at });
    expect(fields.descriptionHash).toBe(hashDescription(sealed.description));
    expect(fields.words).toBe(promiseWords(promise.nonce, ROUTES.createEtch.bodyExample.content));
  });

  it('have correct proofs', () => {
    const { author, chain, hash } = etch;
    let node = leafOf(author.user_id, hash);
    for (const sibling of chain.proof ?? []) node = nodeOf(node, hex(sibling));
    expect(node.toString('hex')).toBe(chain.root);
    expect(receipt.inclusion).toMatchObject({ root: chain.root, proof: chain.proof });
    expect(receipt.chain.expect_onchain).toBe(chain.root);

    const leaves = batch.leaves.map((leaf) => leafOf('user_id' in leaf ? leaf.user_id : '', leaf.hash));
    expect(leaves).toHaveLength(2);
    expect(nodeOf(leaves[0]!, leaves[1]!).toString('hex')).toBe(batch.root);
  });

  it('have an erased retracted etch', () => {
    const tombstone = ROUTES.retractEtch.success.example.etch;
    expect(tombstone).toMatchObject({ content: null, salt: null, signature: null, canonical_string: null });
    expect(tombstone.created_at).toBeNull();
  });
});
