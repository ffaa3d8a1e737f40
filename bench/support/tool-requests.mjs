import { rootCertificates } from 'node:tls';

// Large answers, longest arguments.
const PATH = '/mcp';

export async function toolRequests({ keys, etches, challenge, username, unseen, answered, forecaster }) {
  const [{ id }] = etches;
  const post = (shape, message) => ({
    ...{ name: `POST /mcp ${message.method ?? 'batch'}`, shape, method: 'POST', path: PATH },
    body: JSON.stringify(message),
  });
  const message = (method, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const call = (name, input, shape = 'as it is') => ({
    ...post(shape, message('tools/call', { name, arguments: input })),
    name: `POST /mcp ${name}`,
    key: keys.agent,
  });
  const etch = { description: 'x', topic: 'science' };
  return [
    post(
      'a hundred lists of tools',
      Array.from({ length: 100 }, () => message('tools/list')),
    ),
    post('as it is', message('tools/list')),
    post(
      'as it is',
      message('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
    ),
    post('as it is', message('resources/templates/list')),
    post('as it is', message('prompts/list')),
    post('long arguments', message('tools/call', { name: 'search', arguments: { q: 'x'.repeat(60_000) } })),
    post(
      'many arguments',
      message('tools/call', { name: 'search', arguments: { topics: Array(900).fill('ai') } }),
    ),
    ...['record', 'search'].map((name) =>
      call(name, name === 'record' ? { username, limit: 50 } : { q: 'the', limit: 50 }, 'a whole page'),
    ),
    call('record', { username: unseen, limit: 50 }, 'texts that are spelled out'),
    call('challenge', { id: challenge.id }),
    call('challenge', { id: answered }),
    call('score', { username: forecaster }, 'thousands of forecasts'),
    call('score', { challenge_id: answered }, 'thousands of forecasts'),
    call('show', { id }),
    call('receipt', { id }),
    call('verify', { id }),
    call('evidence', { id }),
    call('evidence', { id, tsa_certificates: certificates(61_000) }, 'certificates'),
    call('etch', { ...etch, content: '\u{1f30a}'.repeat(2_000) }, 'the longest text'),
    call(
      'etch',
      { ...etch, content: '\u200d'.repeat(2_000), description: '\u200d'.repeat(140) },
      'spelled out',
    ),
    call('etch', { ...etch, content: `svc-forecast:v1 ${'a=0.001 '.repeat(480)}` }, 'a malformed forecast'),
  ];
}

/** Repeated. */
function certificates(bytes) {
  const [pem] = rootCertificates;
  return `${pem}\n`.repeat(Math.floor(bytes / (pem.length + 1)));
}
