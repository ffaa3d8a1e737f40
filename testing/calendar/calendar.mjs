// `POST /control` sets a fault or mines a block.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const twice = (bytes) => sha256(sha256(bytes));
const sized = (bytes) => Buffer.concat([varuint(bytes.length), bytes]);
const APPEND = (bytes) => Buffer.concat([Buffer.of(0xf0), sized(bytes)]);
const PREPEND = (bytes) => Buffer.concat([Buffer.of(0xf1), sized(bytes)]);
const SHA = Buffer.of(0x08);
const FORK = Buffer.of(0xff);
const FILE = Buffer.from('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e892940108', 'hex');

function varuint(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return Buffer.of(...bytes, value);
}
const attestation = (tag, payload) => Buffer.concat([Buffer.of(0), Buffer.from(tag, 'hex'), sized(payload)]);
const promise = (uri) => attestation('83dfe30d2ef90c8e', sized(Buffer.from(uri)));
const block = (height) => attestation('0588960d73d71901', varuint(height));
const unknown = attestation('ffffffffffffffff', Buffer.from('later'));

/** maps a commitment (hex) to its operations up to a block */
const commitments = new Map();
/** maps a height to hash (as displayed) and header, in hex */
const blocks = new Map();
let fault = 'none';
let url = '';
let seen = 0;

function stamp(digest) {
  const nonce = randomBytes(16);
  commitments.set(sha256(Buffer.concat([digest, nonce])).toString('hex'), undefined);
  const uri = fault === 'another calendar' ? 'http://calendar.invalid' : url;
  const both = Buffer.concat([FORK, unknown, promise(uri)]);
  return Buffer.concat([APPEND(nonce), SHA, fault === 'future' ? both : promise(uri)]);
}

function mine(time, height = 900_000 + blocks.size) {
  const found = [];
  for (const [commitment, rest] of commitments) {
    if (rest !== undefined) continue;
    const [before, after, sibling] = [randomBytes(40), randomBytes(20), randomBytes(32)];
    const transaction = twice(Buffer.concat([before, Buffer.from(commitment, 'hex'), after]));
    const root = twice(Buffer.concat([transaction, sibling]));
    const header = Buffer.alloc(80);
    header.writeUInt32LE(0x20000000, 0);
    root.copy(header, 36);
    header.writeUInt32LE(time, 68);
    header.writeUInt32LE(0x207fffff, 72);
    const at = height + found.length;
    const hex = header.toString('hex');
    blocks.set(at, { hash: Buffer.from(twice(header)).reverse().toString('hex'), header: hex });
    const path = [PREPEND(before), APPEND(after), SHA, SHA, APPEND(sibling), SHA, SHA, block(at)];
    commitments.set(commitment, Buffer.concat(path));
    found.push({ height: at, header: hex });
  }
  return found;
}

const server = createServer(async (request, response) => {
  // A client that computes for a long time would reuse a closed connection.
  response.setHeader('connection', 'close');
  const body = await buffer(request);
  const send = (status, bytes) => response.writeHead(status).end(bytes);
  if (request.url === '/control') {
    const wanted = JSON.parse(body.toString());
    if (wanted.fault !== undefined) fault = wanted.fault;
    const mined = wanted.mine === undefined ? [] : mine(wanted.mine);
    return send(200, JSON.stringify({ mined, seen }));
  }
  if (request.url === '/bitcoin')
    return send(200, JSON.stringify({ result: rpc(JSON.parse(body.toString())) }));
  seen++;
  if (fault === 'dead') return request.socket.destroy();
  if (fault === 'slow') return undefined;
  if (fault === 'error') return send(503, 'overloaded');
  if (fault === 'huge') return send(200, Buffer.alloc(20_000, 1));
  if (fault === 'malformed') return send(200, Buffer.from('<html>no proof</html>'));
  if (fault === 'endless') {
    response.writeHead(200);
    return void setInterval(() => response.write(Buffer.alloc(5_000, 1)), 1);
  }
  if (fault === 'deep') return send(200, Buffer.concat([...Array(500).fill(SHA), promise(url)]));
  if (fault === 'nothing but blocks') return send(200, block(900_000));
  if (fault === 'another digest') return send(200, Buffer.concat([FILE, randomBytes(32), promise(url)]));
  if (request.method === 'POST' && request.url === '/digest' && body.length === 32)
    return send(200, stamp(body));
  const commitment = /^\/timestamp\/([0-9a-f]{64})$/.exec(request.url ?? '')?.[1];
  if (commitment === undefined || !commitments.has(commitment)) return send(404, 'unknown');
  const rest = commitments.get(commitment);
  if (rest === undefined) return send(404, 'Pending confirmation in Bitcoin blockchain');
  if (fault === 'wide') {
    const hashes = Array(140).fill(SHA);
    const branches = [0, 1, 2, 3].map((at) => [APPEND(Buffer.of(at)), ...hashes, block(900_000 + at)]);
    return send(200, Buffer.concat(branches.flatMap((one, at) => (at < 3 ? [FORK, ...one] : one))));
  }
  if (fault === 'lie') return send(200, Buffer.concat([APPEND(randomBytes(8)), SHA, block(900_000)]));
  return send(200, fault === 'future' ? Buffer.concat([FORK, unknown, rest]) : rest);
});

function rpc({ method, params: [first] }) {
  if (method === 'getblockhash') return blocks.get(first)?.hash ?? null;
  return [...blocks.values()].find(({ hash }) => hash === first)?.header ?? null;
}

server.listen(0, '127.0.0.1', () => {
  url = `http://127.0.0.1:${server.address().port}`;
  process.send?.(url);
});
process.on('disconnect', () => process.exit());
