import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalString, encodeAttestationData, etchHash, hexToBytes } from '@svc/protocol';
import { type Evidence, parseEvidence } from '@svc/verifier/evidence';
import { type Authority, startAuthority } from '../../../../testing/authority/authority.ts';
import { makeCertificates } from '../../../../testing/authority/certificates.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import { askAuthority, checkTimestamps, readCertificates } from '../../src/index.ts';

const folder = join(import.meta.dirname, '../../../../vectors/valid');
const { evidence: base } = readVector('valid/evidence-single-among-20') as { evidence: Evidence };

type Witness = NonNullable<Evidence['witnesses']>[number];
interface WitnessCase {
  about: string;
  /** by the reader */
  trusted: string[];
  evidence: Evidence;
  expect: { verdict: string; badge: string; time: string | null };
}
export interface WitnessVectors {
  about: string;
  certificates: Record<string, string>;
  cases: WitnessCase[];
}

/**
 * Stamps evidence with two OpenSSL authorities and writes `valid/witnesses.json` (`npx vitest` with
 * WRITE_VECTORS=1).
 */
export async function writeWitnesses(): Promise<void> {
  const authorities = { first: await newAuthority(), second: await newAuthority() };
  try {
    const cases: WitnessCase[] = [];
    for (const [about, trusted, evidence, verdict] of await casesBy(authorities)) {
      const pem = trusted.map((name) => authorities[name].pem).join('');
      const by = pem === '' ? [] : readCertificates(pem);
      const found = await checkTimestamps(parseEvidence(evidence), by, Date.now());
      if (found.verdict !== verdict) throw new Error(`${about}: ${found.verdict}: ${found.detail}`);
      const { badge, time } = found;
      cases.push({ about, trusted, evidence, expect: { verdict, badge, time } });
    }
    const vectors: WitnessVectors = {
      about: 'time stamps in evidence: how several combine, and what the stated time has to do with theirs',
      certificates: { first: authorities.first.pem, second: authorities.second.pem },
      cases,
    };
    writeFileSync(join(folder, 'witnesses.json'), `${JSON.stringify(vectors, null, 1)}\n`);
  } finally {
    for (const { stop } of Object.values(authorities)) await stop();
  }
}

type Stamping = Awaited<ReturnType<typeof newAuthority>>;
type Case = [about: string, trusted: ('first' | 'second')[], evidence: Evidence, verdict: string];

async function casesBy({ first, second }: { first: Stamping; second: Stamping }): Promise<Case[]> {
  const receipt = receiptOf(Date.now() - 5_000);
  const [a, b] = [await first.stamp(receipt), await second.stamp(receipt)];
  const ofOther = await second.stamp(receiptOf(Date.now()));
  const unknown: Witness = { of: 'commitment', kind: 'unheard-of', proof: '0x3000' };
  const changed = { ...b, proof: b.proof.slice(0, -2) + (b.proof.endsWith('00') ? '01' : '00') };
  const file = (...witnesses: Witness[]) => evidenceOf(receipt, witnesses);
  const apart = async (seconds: number) => {
    const other = receiptOf(Date.now() + seconds * 1000);
    return evidenceOf(other, [await first.stamp(other)]);
  };
  const one: Case[1] = ['first'];
  const two: Case[1] = ['second'];
  return [
    ['one, by an authority that is trusted', one, file(a), 'pass'],
    [
      'two, by authorities that are both trusted: the earlier time counts',
      [...one, ...two],
      file(b, a),
      'pass',
    ],
    ['two, of which one is trusted: the other is ignored', one, file(a, b), 'pass'],
    ['two, of which the later one is trusted', two, file(a, b), 'pass'],
    ['two, and no certificate is given', [], file(a, b), 'wait'],
    ['one, by an authority that is not trusted', one, file(b), 'fail'],
    [
      'one that holds, and one of other data by an authority that is not trusted',
      one,
      file(a, ofOther),
      'fail',
    ],
    ['one that holds, and one whose signature was changed', one, file(a, changed), 'fail'],
    ['one whose signature was changed, and no certificate is given', [], file(changed), 'fail'],
    ['none but one of a kind that is not known', one, file(unknown), 'wait'],
    ['one that holds, and one of a kind that is not known', one, file(unknown, a), 'pass'],
    [HALF_A_SECOND, one, await apart(60.6), 'pass'],
    ['more than a minute and its accuracy before the stated time', one, await apart(61.9), 'fail'],
    ['within ten minutes after the stated time', one, await apart(-590), 'pass'],
    ['more than ten minutes after the stated time', one, await apart(-601), 'pass'],
  ];
}
const HALF_A_SECOND = 'half a second more than a minute before the stated time, with an accuracy of a second';

function receiptOf(created: number): Evidence['receipt'] {
  const { author, chain } = base.receipt;
  const createdAt = new Date(created).toISOString();
  const salt = randomBytes(32).toString('hex');
  const parts = { userId: author.user_id, createdAt, salt, content: randomUUID() };
  const canonical_string = canonicalString(parts);
  const hash = etchHash(canonical_string);
  return { ...base.receipt, canonical_string, hash, chain: { ...chain, expect_onchain: hash } };
}

const evidenceOf = (receipt: Evidence['receipt'], witnesses: Witness[]): Evidence => ({
  _format: base._format,
  receipt,
  commitment: null,
  tombstone: null,
  witnesses,
});

async function newAuthority() {
  const certificates = await makeCertificates();
  const authority: Authority = await startAuthority(certificates);
  const pem = certificates.root;
  const options = { trusted: readCertificates(pem), timeoutMs: 20_000, now: Date.now };
  return {
    pem,
    stop: () => authority.stop(),
    async stamp({ hash }: Evidence['receipt']): Promise<Witness> {
      const data = encodeAttestationData({ root: hexToBytes(hash), kind: 0, treeVersion: 0, treeSize: 1 });
      const { token } = await askAuthority(authority.url, data, options);
      return { of: 'commitment', kind: 'rfc3161', proof: `0x${Buffer.from(token).toString('hex')}` };
    },
  };
}
