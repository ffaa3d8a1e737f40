import type { Trust } from '@svc/verifier';

/** The reader supplies the first three. */
export type Source = 'flag' | 'trust' | 'pin' | 'service' | 'receipt';

const STANDING: readonly Source[] = ['flag', 'trust', 'pin', 'service', 'receipt'];

export interface TrustFlags {
  relayer: string[];
  contract?: string;
  schema?: string;
  chainId?: number;
}

/** The first source supplies the values that no flag names. */
export interface KnownTrust {
  trust?: Trust | undefined;
  pin?: Trust | undefined;
  service?: Trust | undefined;
  receipt?: Trust | undefined;
}

export interface Chosen {
  trust: Trust;
  sources: Record<keyof Trust, Source>;
  source: Source;
  /** the reader supplies every value; only then can a check pass */
  pinned: boolean;
  notes: string[];
}

const NAMES: Record<keyof Trust, [name: string, flag: string]> = {
  relayers: ['relayer', '--relayer'],
  contract: ['contract', '--contract'],
  schemaUid: ['schema', '--schema'],
  chainId: ['chain id', '--chain-id'],
};
const KEYS = Object.keys(NAMES) as (keyof Trust)[];

export const isOwn = (source: Source): boolean => STANDING.indexOf(source) <= STANDING.indexOf('pin');

export function chooseTrust(flags: TrustFlags, known: KnownTrust): Chosen | null {
  const { relayer, contract, schema, chainId } = flags;
  const flagged: Partial<Trust> = {
    ...(relayer.length > 0 ? { relayers: relayer } : {}),
    ...(contract === undefined ? {} : { contract }),
    ...(schema === undefined ? {} : { schemaUid: schema }),
    ...(chainId === undefined ? {} : { chainId }),
  };
  const rest = STANDING.find((source) => source !== 'flag' && known[source]) as
    | Exclude<Source, 'flag'>
    | undefined;
  const from = (key: keyof Trust): Source | undefined => (flagged[key] === undefined ? rest : 'flag');
  if (KEYS.some((key) => from(key) === undefined)) return null;
  const trust = { ...(rest === undefined ? {} : known[rest]), ...flagged } as Trust;
  const sources = Object.fromEntries(KEYS.map((key) => [key, from(key)])) as Record<keyof Trust, Source>;
  const source = STANDING.findLast((one) => Object.values(sources).includes(one))!;
  return {
    trust,
    sources,
    source,
    pinned: isOwn(source),
    notes: KEYS.flatMap((key) => note(key, sources[key], trust)),
  };
}

function note(key: keyof Trust, source: Source, trust: Trust): string[] {
  if (isOwn(source)) return [];
  const [name, flag] = NAMES[key];
  return [
    `${name} ${[trust[key]].flat().join(', ')} comes from the ${source}, not from you; pin it with ${flag}`,
  ];
}
