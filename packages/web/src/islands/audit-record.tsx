// Checks a record by the index of accounts (docs/protocol.md#418-the-index-of-accounts) in the browser. It keeps the key
// of the log and the last checkpoint of each account, so that the index cannot drop an entry.
import { countText } from '../format.ts';
import type { Etch } from '@svc/contract';
import { parseVerifierKey } from '@svc/protocol/tlog';
import { normalizeTrust, rpcChain } from '@svc/verifier';
import {
  auditByIndex,
  type IndexFindings,
  indexResult,
  type KeptIndex,
  logReader,
  makeRecordFile,
  tailWords,
} from '@svc/verifier/account-index';
import { verdictLine } from '../parts/sign.tsx';
import { TextNodes } from '../parts/values.tsx';
import { RECORD_VERDICTS } from '../record-verdict.ts';
import { asElement } from './as-element.ts';

interface Stored {
  /** keys of the log that the first check found */
  keys: string[];
  kept: KeptIndex;
}

interface Facts {
  chain: { chain_id: number; attestation_contract: string; schema_uid: string; relayers: string[] };
  log: { keys: string[] };
}

const FAULTS_SHOWN = 20;
const KEPT = 'This browser keeps the checkpoint and compares the next check with it.';

export async function auditRecord(host: HTMLElement): Promise<void> {
  const { audit: userId, username } = host.dataset as { audit: string; username: string };
  const { chain, log } = (await readJson('/.well-known/svc.json')) as Facts;
  const name = `audit-${userId}`;
  const stored = readStored(name);
  const keys = stored?.keys ?? log.keys;
  const trust = normalizeTrust({
    chainId: chain.chain_id,
    contract: chain.attestation_contract,
    schemaUid: chain.schema_uid,
    relayers: chain.relayers,
  });
  const etches: Etch[] = [];
  const account = { username, user_id: userId };
  const findings = await auditByIndex({
    log: logReader(`${location.origin}/log`),
    account,
    keys: keys.map(parseVerifierKey),
    policy: null,
    indexWitnesses: [],
    kept: stored?.kept,
    fresh: true,
    now: Date.now() / 1000,
    record: readRecord(username, etches),
    chain: { reader: rpcChain({ urls: [`${location.origin}/rpc`] }), trust },
    whyUnread: (error) => (error as Error).message,
  });
  const isKept = findings.index !== null && store(name, { keys, kept: findings.index.kept });
  const pages = findings.index?.pages;
  const tail = pages === undefined ? null : tailWords(pages[0]!);
  const index = tail === null ? pages?.map(({ value }) => value) : undefined;
  const savedAt = new Date().toISOString();
  const file = index && makeRecordFile({ service: location.origin, account, savedAt, index, etches });
  host
    .querySelector('[data-result]')!
    .replaceChildren(asElement(verdictOf(findings, [isKept ? KEPT : null, tail], file)));
}

async function* readRecord(username: string, all: Etch[]): AsyncGenerator<Etch[]> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/api/v1/users/${username}/etches?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { etches, page } = (await readJson(path)) as RecordPage;
    all.push(...etches);
    yield etches;
    cursor = page.has_more ? page.next_cursor : null;
  }
}

interface RecordPage {
  etches: Etch[];
  page: { has_more: boolean; next_cursor: string | null };
}

async function readJson(path: string): Promise<unknown> {
  const response = await fetch(path, { headers: { accept: 'application/json' } });
  if (response.ok) return response.json();
  throw new Error(`${path} answers status ${response.status}; try again in a minute`);
}

/** Null also where the browser stores nothing. */
function readStored(name: string): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') as Stored | null;
  } catch {
    return null;
  }
}

function store(name: string, value: Stored): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function verdictOf(findings: IndexFindings, notes: (string | null)[], file: object | undefined) {
  const found = indexResult(findings);
  const result = found === 'pass' ? 'operator' : found;
  const [headline, detail] = RECORD_VERDICTS[result];
  const [tone, sign] = TONE[result];
  const { index, record } = findings;
  const lines = [
    ...findings.faults,
    ...(record?.faults ?? []).map(({ etch_id: id, hash, detail: fault }) => `Etch ${id ?? hash}: ${fault}.`),
    ...findings.unproven,
    ...(index?.unproven ?? []),
    ...(record?.unproven ?? []),
    ...(record === null ? [] : [countsText(record)]),
    ...(index?.notes ?? []),
    ...notes.filter((note) => note !== null),
    ...(record?.notes ?? []),
  ];
  const more = lines.length - FAULTS_SHOWN;
  return (
    <div class={`result ${tone}`} data-verdict={result}>
      {verdictLine(tone, sign, [<strong>{headline}</strong>, ` ${detail}`])}
      <ul>
        {lines.slice(0, FAULTS_SHOWN).map((line) => (
          <li>
            <TextNodes>{sentence(line)}</TextNodes>
          </li>
        ))}
        {more > 0 && <li>And {more} more.</li>}
      </ul>
      {file && (
        <p>
          <a
            download={`record-${findings.account.username}.json`}
            href={URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }))}
          >
            Save the record and this proof as one file
          </a>{' '}
          for <code>svc verify</code>.
        </p>
      )}
    </div>
  );
}

/** The commands print the same notes as lines. */
const sentence = (line: string): string =>
  `${line.charAt(0).toUpperCase()}${line.slice(1)}${line.endsWith('.') ? '' : '.'}`;

const TONE = { operator: ['unpinned', 'info'], fail: ['fail', 'fail'], wait: ['wait', 'wait'] } as const;

function countsText({ counts, timed }: NonNullable<IndexFindings['record']>): string {
  const { shown, leaves, sealed, retracted } = counts;
  return `The record has ${shown} of ${leaves} etches of the index: ${sealed} sealed, ${retracted} retracted. Times read from the chain through this service: ${countText(timed, 'tree')}.`;
}
