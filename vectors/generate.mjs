// Uses node:crypto and none of our packages, so that an error in a package cannot hide in its own test data.
// The output is always the same.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountIndexVectors } from './generate/account-index.mjs';
import { auditedFieldVectors } from './generate/audited-fields.mjs';
import { committedFileVectors } from './generate/committed-files.mjs';
import { conventionVectors } from './generate/conventions.mjs';
import { evidenceVectors } from './generate/evidence.mjs';
import { fileVectors } from './generate/files.mjs';
import { formerVectors } from './generate/former.mjs';
import { firstLineVectors } from './generate/first-lines.mjs';
import { hubVectors } from './generate/hubs.mjs';
import { logVectors } from './generate/logs.mjs';
import { manifestVectors } from './generate/manifests.mjs';
import { omissionVectors } from './generate/omissions.mjs';
import { protocolVectors } from './generate/protocol.mjs';
import { receiptVectors } from './generate/receipts.mjs';
import { scopeVectors } from './generate/scopes.mjs';
import { scoreVectors } from './generate/scores.mjs';
import { spaceVectors } from './generate/spaces.mjs';
import { spacedOutcomeVectors } from './generate/spaced-outcomes.mjs';
import { takenDownVectors } from './generate/taken-down.mjs';
import { timelockVectors } from './generate/timelock.mjs';
import { tlogVectors } from './generate/tlog.mjs';
import { tokenVectors } from './generate/tokens.mjs';
import { unseenVectors } from './generate/unseen.mjs';
import { wholeAuditVectors } from './generate/whole-audits.mjs';

if (process.argv.length > 2) {
  console.error('usage: node vectors/generate.mjs\n\nWrites the vectors. Takes no arguments.');
  process.exit(process.argv[2] === '--help' ? 0 : 64);
}

const here = import.meta.dirname;
// Not generated here. The evidence is from blocks of a real chain. From OpenSSL and a calendar: `WRITE_VECTORS=1 npx
// vitest run` with authority, strict-der, vectors and ots.test.ts of packages/timestamp. tlock-js encrypted the
// openings and blind seals with random bytes.
const KEPT =
  /^(worked-examples|account-index-worked|openings|blind-seals|evidence-.*-among-20|stamped-evidence|ots|timestamp-.*|witnesses)\.json$/;

for (const folder of ['valid', 'invalid']) {
  mkdirSync(join(here, folder), { recursive: true });
  for (const name of readdirSync(join(here, folder))) if (!KEPT.test(name)) rmSync(join(here, folder, name));
}
for (const [path, vector] of [
  ...protocolVectors(),
  ...receiptVectors(),
  ...fileVectors(),
  ...evidenceVectors(),
  ...formerVectors(),
  ...timelockVectors(),
  ...tlogVectors(),
  ...tokenVectors(),
  ...wholeAuditVectors(),
  ...auditedFieldVectors(),
  ...accountIndexVectors(),
  ...omissionVectors(),
])
  writeFileSync(join(here, `${path}.json`), `${JSON.stringify(vector, null, 1)}\n`);
for (const [path, vector] of [
  ...unseenVectors(),
  ...conventionVectors(),
  ...manifestVectors(),
  ...firstLineVectors(),
  ...logVectors(),
  ...hubVectors(),
  ...scopeVectors(),
  ...committedFileVectors(),
  ...scoreVectors(),
  ...spaceVectors(),
  ...spacedOutcomeVectors(),
  ...takenDownVectors(),
])
  writeFileSync(join(here, `${path}.json`), `${asEscapes(JSON.stringify(vector, null, 1))}\n`);

// Adds sums of new vectors only, so that a test fails for a published vector that changed.
const sums = join(here, 'SHA256SUMS');
const listed = readFileSync(sums, 'utf8');
for (const folder of ['invalid', 'valid'])
  for (const name of readdirSync(join(here, folder)).toSorted()) {
    const hash = createHash('sha256').update(readFileSync(join(here, folder, name)));
    const line = `  ${folder}/${name}\n`;
    if (!listed.includes(line)) appendFileSync(sums, hash.digest('hex') + line);
  }

function asEscapes(json) {
  return json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
