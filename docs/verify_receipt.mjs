// Checks a receipt as docs/protocol.md says, with nothing but Node's standard library, step by step as verify_receipt.py:
// node verify_receipt.mjs receipt.json RPC-URL [relayer=0x... contract=0x... schema=0x... chain=1], what you trust, from
// elsewhere. All but an author's signature is checked. Exits 0 pass, 1 fail, 2 wait.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const sha = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const bytes = (hex) => Buffer.from(hex.replace(/^0x|-/g, ''), 'hex');
const need = (truth, what) => {
  if (!truth) throw new Error(what);
};

/** @returns 0 pass, 2 wait. @throws when the receipt fails */
export async function check(receipt, url, trusted = [], say = () => {}) {
  const { chain, inclusion, revocation, status, author, hash, canonical_string: words } = receipt;
  const rpc = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(10_000) });
    return (await response.json()).result;
  };
  const fold = ({ root, proof, tree_size: size, tree_version: version }) => {
    let node = sha(Buffer.of(0), version === 2 ? bytes(author.user_id) : Buffer.alloc(0), bytes(hash));
    for (const sibling of proof.map(bytes)) node = sha(Buffer.of(1), ...[node, sibling].sort(Buffer.compare));
    const most = Math.ceil(Math.log2(size));
    need(node.toString('hex') === root, 'the proof does not fold to the root');
    need(proof.length <= most && (size === 1 || proof.length > 0), 'the proof has an impossible length');
  };
  const read = async (uid, kind, { root, tree_version: version, tree_size: size }) => {
    const answer = await (async () => {
      if (uid === null || Number(await rpc('eth_chainId')) !== chain.chain_id) return null;
      const call = { to: chain.attestation_contract, data: `0xa3112a64${uid.slice(2)}` };
      return bytes(await rpc('eth_call', call, 'latest'));
    })().catch(() => null);
    if (answer === null || answer.length < 384) return null;
    const word = (i) => answer.subarray(32 * i, 32 * i + 32);
    if (!word(1).equals(bytes(uid))) return null; // not known there, or a broken endpoint
    const numbers = [kind, version, size].map((n) => n.toString(16).padStart(64, '0'));
    need(word(2).equals(bytes(chain.schema_uid)), 'another schema');
    const data = Buffer.concat([root, ...numbers].map(bytes));
    need(word(11)[31] === 128 && answer.subarray(384).equals(data), 'the attestation holds something else');
    const [time, revoked] = [3, 5].map((i) => Number(`0x${word(i).toString('hex')}`));
    return { attester: `0x${word(8).subarray(12).toString('hex')}`, time, revoked };
  };

  const relayer = chain.relayer.toLowerCase();
  need((words === null) === (status !== 'revealed'), 'the status');
  const claims = {
    relayer,
    contract: chain.attestation_contract,
    schema: chain.schema_uid,
    chain: chain.chain_id,
  };
  const pins = trusted.map((one) => (one.includes('=') ? one : `relayer=${one}`).toLowerCase());
  for (const [name, claim] of Object.entries(claims)) {
    const pinned = pins.filter((pin) => pin.startsWith(`${name}=`));
    const named = `${name}=${claim}`.toLowerCase();
    need(pinned.length === 0 || pinned.includes(named), `the ${name} is not the trusted one`);
    if (pinned.length === 0) say(`not pinned, only the receipt says so: ${named}`);
  }
  if (receipt.signature) say("not checked: the author's signature");
  let created = 0;
  if (words !== null) {
    const [tag, user, stated] = words.split('|', 3);
    need(sha(Buffer.from(words, 'utf8')).toString('hex') === hash, 'the words do not make the hash');
    need(tag === 'svc:v1' && user === author.user_id, 'the words are of another form or author');
    created = Math.floor(Date.parse(stated) / 1000);
  }
  if (inclusion !== null) fold(inclusion);
  const tree = inclusion ?? { root: hash, tree_version: 0, tree_size: 1 };
  const found = await read(chain.attestation_uid, 0, tree);
  if (found !== null) {
    need(
      found.attester === relayer && chain.expect_onchain === tree.root,
      'the attester or the expected root',
    );
    const time = new Date(found.time * 1000).toISOString();
    need(chain.anchored_at === null || chain.anchored_at === time, 'the time of anchoring');
    need(found.time >= created, 'attested before the stated time');
    need(inclusion === null || found.revoked === 0, 'a tree was revoked');
  }
  let done = found !== null;
  if (revocation?.kind === 1) {
    if (revocation.attestation_uid !== null) fold(revocation);
    const tombstone = await read(revocation.attestation_uid, 1, revocation);
    need(tombstone === null || (tombstone.attester === relayer && tombstone.revoked === 0), 'the tombstone');
    done &&= tombstone !== null;
  } else if (status === 'retracted') {
    const own = [null, chain.attestation_uid].includes(revocation?.attestation_uid ?? null);
    need(revocation === null || (inclusion === null && own), 'the retraction');
    done &&= revocation !== null && found.revoked > 0;
  }
  return done ? 0 : 2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [file, url, ...trusted] = process.argv.slice(2);
  try {
    process.exitCode = await check(JSON.parse(readFileSync(file, 'utf8')), url, trusted, console.log);
    console.log(process.exitCode === 0 ? 'PASS' : 'WAIT');
  } catch (error) {
    console.log(`FAIL: ${error.message}`);
    process.exitCode = 1;
  }
}
