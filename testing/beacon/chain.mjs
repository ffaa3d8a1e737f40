// A local drand chain with one key instead of a threshold of parties.
import { createHash } from 'node:crypto';
import { bls12_381 as bls } from '@noble/curves/bls12-381.js';

const { G1, G2 } = bls;
const DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();

export function localChain({ seed = 'a local chain', genesis, period }) {
  const secret = (BigInt(`0x${sha256(Buffer.from(seed)).toString('hex')}`) % (G1.Point.Fn.ORDER - 1n)) + 1n;
  const publicKey = Buffer.from(G2.Point.BASE.multiply(secret).toBytes());
  const groupHash = sha256(Buffer.from(`group of ${seed}`));
  const [periods, begin] = [Buffer.alloc(4), Buffer.alloc(8)];
  periods.writeUInt32BE(period);
  begin.writeBigInt64BE(BigInt(genesis));
  const info = {
    public_key: publicKey.toString('hex'),
    period,
    genesis_time: genesis,
    hash: sha256(periods, begin, publicKey, groupHash, Buffer.from('local')).toString('hex'),
    groupHash: groupHash.toString('hex'),
    schemeID: 'bls-unchained-g1-rfc9380',
    metadata: { beaconID: 'local' },
  };
  const sign = (round) => {
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(BigInt(round));
    const point = G1.Point.fromAffine(G1.hashToCurve(sha256(number), { DST }).toAffine());
    return Buffer.from(point.multiply(secret).toBytes()).toString('hex');
  };
  return { info, sign };
}
