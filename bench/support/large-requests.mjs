// The largest accepted requests, in the most expensive shapes.
import { randomUUID } from 'node:crypto';
import { ROUTE_LIST } from '../../packages/contract/dist/index.js';

/** Body; line and headers (packages/server/src/http/app.ts, Node's own). */
export const BODY_BYTES = 256 * 1024;
const URL_BYTES = 15 * 1024;

/**
 * @param {{ ids: Record<string, string>, keys: { agent: string, person: string } }} world what paths name, and who asks
 * @returns {{ name: string, shape: string, method: string, path: string, key?: string, body?: string }[]}
 */
export function largeRequests({ ids, keys }) {
  return ROUTE_LIST.flatMap((route) => {
    const path = route.path.replace(
      /\{(\w+)\}/g,
      (_, name) => ids[`${route.operationId}.${name}`] ?? ids[name],
    );
    const request = { name: route.operationId, method: route.method, path };
    const key = keyFor(route, keys);
    const shapes = [
      ...queries(route).map(([shape, query]) => ({ shape, path: `${path}${query}` })),
      ...(route.body ? bodies(route).map(([shape, body]) => ({ shape, body })) : []),
    ];
    return (shapes.length > 0 ? shapes : [{ shape: 'as it is' }]).map((found) => ({
      ...request,
      key,
      ...found,
    }));
  });
}

function keyFor({ auth, operationId }, keys) {
  if (['linkOperator', 'unlinkOperator', 'syncSocial', 'listAnswers'].includes(operationId))
    return keys.person;
  return auth === 'public' ? undefined : keys.agent;
}

function queries({ query, operationId }) {
  const known = query?.properties ?? {};
  const shapes = query ? [['as it is', '']] : [];
  if ('limit' in known) shapes.push(['a whole page', '?limit=100']);
  for (const name of Object.keys(known)) {
    if (name === 'limit' || name === 'page' || name === 'cursor') continue;
    const value = (text) => `?${name}=${text.repeat(Math.floor(URL_BYTES / text.length))}`;
    shapes.push([`a long ${name}`, value('a,')], [`a ${name} of blanks`, value('%20')]);
  }
  if (operationId === 'searchAccounts') shapes.push(['a common word', '?q=a']);
  if (operationId === 'listBatches' || 'page' in known)
    shapes.push(['the first page', known.q ? '?q=the' : '']);
  if (known.target_type) return [['a target', `?target_type=user&target_id=${randomUUID()}`]];
  return shapes;
}

function bodies({ bodyExample, body }) {
  const base = bodyExample ?? {};
  const { properties } = body;
  const lists = Object.keys(properties).filter((name) => properties[name].type === 'array');
  const room = (value) => Math.max(1, Math.floor((BODY_BYTES - 2_000) / value));
  const filled = (fill) =>
    Object.fromEntries(
      Object.keys(properties).map((name) => [name, fill(room(Object.keys(properties).length))]),
    );
  const many = (item) => JSON.stringify({ ...base, ...listsOf(item) });
  const listsOf = (item) =>
    Object.fromEntries(
      lists.map((name) => [
        name,
        Array.from({ length: room(lists.length * (JSON.stringify(item).length + 1)) }, () => item),
      ]),
    );
  return [
    ['unknown fields', withUnknown(base, (index) => `"${index.toString(36)}":0`)],
    ['fields with escapes', withUnknown(base, (index) => `"\\u0061${index.toString(36)}":0`)],
    [
      'a list that nobody asked for',
      JSON.stringify({ ...base, unknown: Array.from({ length: room(3) }, () => []) }),
    ],
    ['long letters', JSON.stringify(filled((bytes) => 'x'.repeat(bytes)))],
    ['long blanks', JSON.stringify(filled((bytes) => ' '.repeat(bytes)))],
    ['long characters of four bytes', JSON.stringify(filled((bytes) => '\u{1f30a}'.repeat(bytes / 4)))],
    [
      'escaped characters',
      JSON.stringify(filled((bytes) => '~'.repeat(bytes / 6))).replaceAll('~', '\\u0061'),
    ],
    ['no object', JSON.stringify(Array.from({ length: room(3) }, () => []))],
    ...(lists.length > 0
      ? [
          ['lists of empty objects', many({})],
          ['lists of null', many(null)],
          ['lists of words', many('x')],
        ]
      : []),
  ];
}

function withUnknown(base, field) {
  const start = JSON.stringify(base).slice(0, -1);
  const fields = [];
  for (let index = 0, bytes = start.length + 2; ; index++) {
    const text = field(index);
    bytes += text.length + 1;
    if (bytes >= BODY_BYTES) break;
    fields.push(text);
  }
  return `${start}${start.length > 1 ? ',' : ''}${fields.join(',')}}`;
}
