// Measures the gzipped size of the files that a browser loads.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  chooseExample,
  etchPage,
  howToVerifyPage,
  ISLANDS_FOLDER,
  verifyEtchPage,
} from '../packages/web/dist/index.js';
import { table } from './support/report.mjs';

export async function run() {
  const read = (name) => readFileSync(new URL(name, ISLANDS_FOLDER));
  const { files, served, receipt } = JSON.parse(read('manifest.json'));
  const weight = (bytes) => gzipSync(bytes, { level: 9 }).length;
  const file = (name) => weight(read(files[name] ?? served.find((served) => served.startsWith(name))));
  const style = file('site.css');
  const urls = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, `/assets/${path}`]));
  const site = { baseUrl: 'https://etch.example', chain: chain(), files: urls };
  const etch = largestEtch();
  const page = ({ html }) => weight(html) + style;
  table(
    'Pages: what a browser loads',
    ['part', 'bytes, gzipped', 'allowed'],
    [
      ['an etch page of 2,000 characters, with the style', page(etchPage(site, etch)), 25_000],
      ['its verify page, with the style', page(verifyEtchPage(site, { etch, checks: null })), ''],
      ['/verify, with the style', page(howToVerifyPage(site, chooseExample([]))), ''],
      ['script needed to read a page', 0, 0],
      ['copy buttons', file('copy.js'), ''],
      ['composer', file('compose.js'), ''],
      ['countdown and live changes', file('live.js'), ''],
      ['verification in the browser', file('verify.js'), 16_000],
      ['the check of a signature, on demand', file('signature.'), 16_000],
      ['what reads a dropped receipt, on demand', file('dropped-file.'), ''],
      ['script inside a saved receipt', weight(receipt.script), ''],
    ],
  );
}

const hex = (bytes) => randomBytes(bytes).toString('hex');

function chain() {
  const [contract, relayer] = [hex(20), hex(20)].map((text) => `0x${text}`);
  return {
    name: 'devnet',
    id: 1,
    contract,
    relayer,
    schemaUid: `0x${hex(32)}`,
    rpcUrl: 'https://etch.example/rpc',
  };
}

/** The heaviest page. */
function largestEtch() {
  const content = Array.from({ length: 2_000 }, () =>
    String.fromCodePoint(0x4e00 + (randomBytes(2).readUInt16BE() % 20_000)),
  ).join('');
  const id = '1b671a64-40d5-491e-99b0-da01ff1f3341';
  const [hash, salt, root] = [hex(32), hex(32), hex(32)];
  const created = '2026-01-02T03:04:05.678Z';
  const author = {
    user_id: id,
    username: 'ada',
    display_name: 'Ada',
    kind: 'human',
    verified: true,
    official: false,
  };
  return {
    ...{
      id,
      status: 'revealed',
      mode: 'instant',
      hash,
      salt,
      content,
      description: 'About the tide',
      code: 'abc234',
    },
    ...{
      created_at: created,
      created_on: created.slice(0, 10),
      reveal_at: null,
      revealed_at: created,
      retracted_at: null,
    },
    ...{ author, category: { id: 'science', label: 'Science' }, challenge: null },
    signature: { value: hex(64), public_key: hex(32) },
    canonical_string: `svc:v1|${id}|${created}|${salt}|${content}`,
    chain: {
      ...{
        status: 'anchored',
        anchored_at: '2026-01-02T03:04:45.000Z',
        attestation_uid: `0x${hex(32)}`,
        tx_hash: `0x${hex(32)}`,
      },
      ...{ root, proof: Array.from({ length: 14 }, () => hex(32)), tree_size: 10_000, tree_version: 2 },
      ...{
        attscan_url: null,
        tx_url: null,
        revocation_status: 'none',
        revoked_onchain_at: null,
        revocation_attestation_uid: null,
      },
    },
    url: `https://etch.example/e/${id}`,
    short_url: 'https://etch.example/e/abc234',
    verify_url: `https://etch.example/e/${id}/verify`,
  };
}
