import type { Json } from '../json.ts';
import { read } from '../repository.ts';
import type { Leaf } from './changing-service.ts';

const [, section = ''] = read('docs/threat-model.md').split('## Fields that a client cannot check');
const [table = '', words = ''] = section
  .split('\n## ')[0]!
  .split('The whole answer is the word of the service');
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/**
 * Fields that neither the request, the pins nor the rest of the answer determine, of an etch or an operation: the table
 * of docs/threat-model.md. A field of an etch is named relative to the etch.
 */
export const UNCHECKED = [...table.matchAll(/^\| (.*?) +\| (`.*?) +\|/gm)].map(([, of, fields]) => ({
  of: of!.replaceAll('`', ''),
  fields: quoted(fields!),
}));

/** Only the service vouches for these answers, except an id or name that repeats the request. */
export const WORD_OF_THE_SERVICE = quoted(words.split('\n\n')[0]!);

/** Converts `etches[].author.username` of a list to `author.username` of an etch. */
export const inEtch = (name: string): string | undefined =>
  /^(?:etch|etches\[\]|pending\[\]|settled\[\])\.(.*)$/.exec(name)?.[1];

export const etchAt = (body: Json, leaf: Leaf): Json =>
  leaf
    .map((_, at) => leaf.slice(0, at + 1).reduce<Json>((value, name) => value[name], body))
    .find((value) => value?.chain?.revocation_status !== undefined);

const beforeAnchoring = ({ status }: Json): string[] => [
  'an etch before it is anchored',
  ...(status === 'revealed' ? [] : ['a sealed or retracted etch before it is anchored']),
];

/** @param etch that contains the field, if any */
export function isUnchecked(operation: string, name: string, etch: Json): boolean {
  if (WORD_OF_THE_SERVICE.includes(operation)) return true;
  const field = inEtch(name);
  const groups =
    field === undefined
      ? [operation]
      : operation === 'createEtch'
        ? ['every etch']
        : [
            'every etch',
            'an etch that was read',
            ...(etch.chain.status === 'anchored' ? [] : beforeAnchoring(etch)),
          ];
  return UNCHECKED.some(({ of, fields }) => groups.includes(of) && fields.includes(field ?? name));
}
