import { Integer, Null } from 'asn1js';
import { AlgorithmIdentifier, MessageImprint, TimeStampReq, TimeStampResp } from 'pkijs';
import { OctetString } from 'asn1js';
import { copyOf, derOf, isSame } from './bytes.ts';
import { checkDer } from './der.ts';
import { SHA_256 } from './object-ids.ts';
import { malformed, TimestampError } from './timestamp-error.ts';
import { readToken } from './token.ts';

export interface TimestampRequest {
  /** SHA-256 of the stamped data */
  imprint: Uint8Array;
  /** 1 to 20 random bytes, the first of them 1 to 127 */
  nonce: Uint8Array;
}

/** DER (RFC 3161, section 2.4.1). */
export function encodeRequest({ imprint, nonce }: TimestampRequest): Uint8Array<ArrayBuffer> {
  return derOf(
    new TimeStampReq({
      version: 1,
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256, algorithmParams: new Null() }),
        hashedMessage: new OctetString({ valueHex: copyOf(imprint).buffer }),
      }),
      nonce: new Integer({ valueHex: copyOf(nonce).buffer }),
      certReq: true,
    }),
  );
}

/** "granted" and "granted with changes" */
const GRANTED = [0, 1];

/**
 * The token in an authority's answer.
 * @throws {TimestampError}
 */
export function readResponse(
  bytes: Uint8Array,
  { imprint, nonce }: TimestampRequest,
): Uint8Array<ArrayBuffer> {
  checkDer(bytes);
  const token = tokenOf(bytes);
  const { info } = readToken(token, { strict: false });
  if (!isSame(info.messageImprint.hashedMessage.valueBlock.valueHexView, imprint))
    throw new TimestampError('imprint', 'it stamped something else');
  if (info.nonce === undefined || !isSame(info.nonce.valueBlock.valueHexView, nonce))
    throw new TimestampError('nonce', 'it answered a different request (nonce)');
  return token;
}

function tokenOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let response: TimeStampResp;
  try {
    response = TimeStampResp.fromBER(copyOf(bytes));
  } catch {
    throw malformed('it is no time-stamp response');
  }
  const { status, timeStampToken } = response;
  if (!GRANTED.includes(status.status))
    throw new TimestampError('refused', 'the authority refused the request');
  if (timeStampToken === undefined) throw malformed('there is no token in it');
  return derOf(timeStampToken);
}
