import { bytesToHex } from '@svc/protocol';
import { copyOf } from '../bytes.ts';
import { fetchBytes, type FetchOptions } from '../fetch-bytes.ts';
import { malformed, TimestampError } from '../timestamp-error.ts';
import { ByteReader } from './byte-reader.ts';
import { readOts, writeOts } from './file.ts';
import { attestationsOf, keepOnly, mergeInto, readTimestamp, type Timestamp } from './proof.ts';

/** As in the official client. */
const LONGEST_ANSWER = 10_000;
/** Operations in a row. With the 46 from an etch to its tree's data, a whole proof stays below `DEEPEST`. */
const DEEPEST_PROMISE = 60;
const DEEPEST_REST = 149;
const MOST_BLOCKS = 4;
const HEADERS = { accept: 'application/vnd.opentimestamps.v1' };

/**
 * @returns the proof that the calendar completes with a Bitcoin block
 * @throws {TimestampError} when the calendar cannot be reached, or its answer is not exactly one promise of
 * its own
 */
export async function stampDigest(
  calendar: string,
  digest: Uint8Array,
  options: FetchOptions,
): Promise<Timestamp> {
  const request = {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/octet-stream' },
    body: copyOf(digest),
  };
  const { status, bytes } = await fetchBytes(endpoint(calendar, 'digest'), request, LONGEST_ANSWER, options);
  if (status !== 200) throw new TimestampError('unreachable', `it answered with status ${status}`);
  const answer = readAnswer(bytes, digest, DEEPEST_PROMISE);
  const pending = attestationsOf(answer).flatMap(({ attestation }) =>
    attestation.kind === 'pending' ? [attestation.uri] : [],
  );
  const [uri] = pending;
  if (uri === undefined || pending.length > 1)
    throw malformed('its answer is not the promise of one calendar');
  if (!isSameCalendar(uri, calendar))
    throw malformed(`it leaves the proof to the calendar ${uri.slice(0, 100)}; name that one instead`);
  return keepOnly(answer, ({ kind }) => kind === 'pending')!;
}

/**
 * Adds the rest of each calendar's proof to `proof`.
 * @returns the calendars without a valid answer
 */
export async function completeProof(
  proof: Timestamp,
  calendars: readonly string[],
  options: FetchOptions,
): Promise<{ calendar: string; fault: TimestampError }[]> {
  const faults: { calendar: string; fault: TimestampError }[] = [];
  const requests = attestationsOf(proof).map(async ({ node, attestation }) => {
    if (attestation.kind !== 'pending') return;
    const calendar = calendars.find((one) => isSameCalendar(attestation.uri, one));
    if (calendar === undefined) return;
    try {
      const found = await fetchRest(calendar, node.message, options);
      if (found === undefined) return;
      const { attestations } = node;
      const steps = structuredClone(node.steps);
      node.attestations = attestations.filter((one) => one !== attestation);
      mergeInto(node, found);
      try {
        readOts(writeOts(proof));
      } catch (error) {
        // Several valid answers together can exceed the limits of a file.
        Object.assign(node, { attestations, steps });
        throw error;
      }
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error;
      faults.push({ calendar, fault: error });
    }
  });
  await Promise.all(requests);
  return faults;
}

/** @returns undefined before a Bitcoin block */
async function fetchRest(
  calendar: string,
  commitment: Uint8Array,
  options: FetchOptions,
): Promise<Timestamp | undefined> {
  const url = endpoint(calendar, `timestamp/${bytesToHex(commitment)}`);
  const { status, bytes } = await fetchBytes(url, { headers: HEADERS }, LONGEST_ANSWER, options);
  if (status === 404) return undefined;
  if (status !== 200) throw new TimestampError('unreachable', `it answered with status ${status}`);
  const rest = keepOnly(readAnswer(bytes, commitment, DEEPEST_REST), ({ kind }) => kind === 'bitcoin');
  if (rest === undefined) return undefined;
  if (attestationsOf(rest).length > MOST_BLOCKS)
    throw malformed(`its answer names more than ${MOST_BLOCKS} blocks`);
  return rest;
}

function readAnswer(bytes: Uint8Array, message: Uint8Array, deepest: number): Timestamp {
  const reader = new ByteReader(bytes);
  const answer = readTimestamp(reader, message, deepest);
  reader.end();
  return answer;
}

const isSameCalendar = (a: string, b: string): boolean => withoutSlash(a) === withoutSlash(b);
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
const endpoint = (calendar: string, name: string): string => `${withoutSlash(calendar)}/${name}`;
