import { failError, reworded, waitError } from './exit.ts';
import { hexToBytes } from '@svc/protocol';
import type { Client } from '@svc/sdk';
import { answer, type Context, type ServiceOptions } from './context.ts';
import { writeOutBytes } from './out-file.ts';

/** The `.ots` file is of the etch's hash (`svc receipt --ots`). */
export async function exportOtsFile(
  client: Client,
  id: string,
  path: string,
  options: ServiceOptions,
  context: Context,
): Promise<void> {
  const { receipt, witnesses = [] } = await client.evidence(id);
  const witness = witnesses.find(({ of, kind }) => of === 'commitment' && kind === 'ots');
  if (witness === undefined)
    throw waitError(
      'the service has no OpenTimestamps proof of this etch: it arrives after the attestation is final, if the service uses calendars (OTS_CALENDARS); try again later',
    );
  const { attestationsOf, exportOts, readOts, TimestampError } = await import('@svc/timestamp/ots');
  const [file, pending] = reworded(
    () => {
      const made = exportOts(receipt, hexToBytes(witness.proof.slice(2)));
      const kinds = attestationsOf(readOts(made)).map(({ attestation }) => attestation.kind);
      return [made, kinds.every((kind) => kind === 'pending')] as const;
    },
    TimestampError,
    (message) => failError(`the OpenTimestamps proof of the service is wrong: ${message}`),
  );
  writeOutBytes(path, file);
  answer(context, options, { file: path, pending }, [
    `${path}${pending ? ' (no Bitcoin block has it yet; download it again in some hours, or run ots upgrade)' : ''}`,
  ]);
}
