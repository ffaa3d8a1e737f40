// Encodes a large answer in slices of time, so that other requests do not wait for it.
import type { FastifyReply } from 'fastify';
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';

/**
 * Builds large answers in pieces and yields after each: a megabyte at once would stall the event loop. Unit:
 * characters.
 */

const PIECE = 128 * 1024;

export function sendInPieces(reply: FastifyReply, answer: unknown): unknown {
  if (!isData(answer) || estimateSize(answer, PIECE) < PIECE) return answer;
  return jsonInPieces(answer).then((bytes) => {
    void reply.type('application/json; charset=utf-8');
    return bytes;
  });
}

function isData(answer: unknown): answer is object {
  if (typeof answer !== 'object' || answer === null) return false;
  const kind: unknown = Object.getPrototypeOf(answer);
  return kind === Object.prototype || kind === Array.prototype;
}

export const jsonInPieces = (value: unknown): Promise<Buffer> => encode(piecesOf(value));

/** Encodes once: the ETag, the length and the socket use the same bytes. */
export const textInPieces = (text: string): Buffer | Promise<Buffer> =>
  text.length < PIECE ? Buffer.from(text) : encode(cutText(text));

async function encode(pieces: Iterable<string>): Promise<Buffer> {
  return Buffer.concat(
    await mapInTimeSlices(
      pieces,
      (piece) => piece.length,
      (piece) => Buffer.from(piece),
      PIECE,
    ),
  );
}

function* cutText(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + PIECE);
    if (to < text.length && isHigh(text.charCodeAt(to - 1))) to--;
    yield text.slice(from, to);
    from = to;
  }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function* piecesOf(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length >= PIECE) {
    yield '"';
    for (const part of cutText(value)) yield JSON.stringify(part).slice(1, -1);
    yield '"';
  } else if (
    typeof value !== 'object' ||
    value === null ||
    'toJSON' in value ||
    estimateSize(value, PIECE) < PIECE
  ) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield* listPieces(value);
  } else {
    let sign = '{';
    for (const [name, part] of Object.entries(value)) {
      if (!isWritten(part)) continue;
      yield `${sign}${JSON.stringify(name)}:`;
      yield* piecesOf(part);
      sign = ',';
    }
    yield sign === '{' ? '{}' : '}';
  }
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  let sign = '[';
  for (let from = 0; from < list.length;) {
    let to = from;
    let weight = 0;
    while (to < list.length && (weight += estimateSize(list[to], PIECE)) < PIECE) to++;
    yield sign;
    if (to === from) yield* piecesOf(isWritten(list[to]) ? list[to++] : (to++, null));
    else yield JSON.stringify(list.slice(from, to)).slice(1, -1);
    sign = ',';
    from = to;
  }
  yield ']';
}

const isWritten = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';

function estimateSize(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let weight = 2;
  if (Array.isArray(value)) {
    for (const item of value) if ((weight += estimateSize(item, most - weight)) >= most) break;
  } else {
    for (const name in value) {
      weight += name.length + 3 + estimateSize((value as Record<string, unknown>)[name], most - weight);
      if (weight >= most) break;
    }
  }
  return weight;
}
