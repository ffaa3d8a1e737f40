import type { Receipt } from '@svc/protocol';
import type { Trust } from '@svc/verifier';
import { CommandError, EXIT } from './exit.ts';

/** From where a value of the trust was taken. */
export type Source = 'flag' | 'pin' | 'service' | 'receipt';

export interface TrustFlags {
  relayer: string[];
  contract?: string;
  schema?: string;
  chainId?: number;
}

export interface Chosen {
  trust: Trust;
  /** what the reader should know about it, one sentence each */
  notes: string[];
  sources: Record<keyof Trust, Source>;
}

const NAMES: Record<keyof Trust, [name: string, flag: string]> = {
  relayers: ['relayer', '--relayer'],
  contract: ['contract', '--contract'],
  schemaUid: ['schema', '--schema'],
  chainId: ['chain id', '--chain-id'],
};

/** Flags win; else what is pinned from an earlier contact, else what the service says now, else the receipt. */
export function chooseTrust(
  flags: TrustFlags,
  pin: Trust | null,
  service: Trust | null,
  receipt: Receipt,
): Chosen {
  const { chain } = receipt;
  return choose(flags, pin, service, {
    chainId: chain.chain_id,
    contract: chain.attestation_contract,
    schemaUid: chain.schema_uid,
    relayers: [chain.relayer],
  });
}

/** The same where there is no receipt to fall back on. @throws {CommandError} when something is known from nowhere */
export function chooseServiceTrust(flags: TrustFlags, pin: Trust | null, service: Trust | null): Chosen {
  if (pin !== null || service !== null) return choose(flags, pin, service, (pin ?? service)!);
  const { relayer, contract, schema, chainId } = flags;
  if (relayer.length === 0 || contract === undefined || schema === undefined || chainId === undefined)
    throw new CommandError(
      EXIT.input,
      'the service does not say which chain it is on; name --relayer, --contract, --schema and --chain-id',
    );
  return choose(flags, null, null, { relayers: relayer, contract, schemaUid: schema, chainId });
}

function choose(flags: TrustFlags, pin: Trust | null, service: Trust | null, claim: Trust): Chosen {
  const flagged: Partial<Trust> = {
    ...(flags.relayer.length > 0 ? { relayers: flags.relayer } : {}),
    ...(flags.contract === undefined ? {} : { contract: flags.contract }),
    ...(flags.schema === undefined ? {} : { schemaUid: flags.schema }),
    ...(flags.chainId === undefined ? {} : { chainId: flags.chainId }),
  };
  const [source, rest]: [Source, Trust] =
    pin !== null ? ['pin', pin] : service !== null ? ['service', service] : ['receipt', claim];
  const keys = Object.keys(NAMES) as (keyof Trust)[];
  const from = (key: keyof Trust): Source => (flagged[key] === undefined ? source : 'flag');
  return {
    trust: { ...rest, ...flagged },
    sources: {
      relayers: from('relayers'),
      contract: from('contract'),
      schemaUid: from('schemaUid'),
      chainId: from('chainId'),
    },
    notes: keys.filter((key) => from(key) !== 'flag').flatMap((key) => note(key, source, rest)),
  };
}

function note(key: keyof Trust, source: Source, trust: Trust): string[] {
  const [name, flag] = NAMES[key];
  const value = [trust[key]].flat().join(', ');
  if (source === 'receipt') return [`${name} ${value} is what the receipt says; pin it with ${flag}`];
  return source === 'service' ? [`${name} ${value} is what the service says; pin it with ${flag}`] : [];
}
