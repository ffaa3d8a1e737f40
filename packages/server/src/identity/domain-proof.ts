import { request } from 'node:https';
import { badField } from '../failure.ts';
import { lookupPublic, NotPublic } from './public-address.ts';

/** `host` to the address and port it is found at instead, for tests (DOMAIN_CHECK_TEST_HOSTS). */
export type TestHosts = ReadonlyMap<string, { address: string; port: number }>;

export interface DomainCheckOptions {
  testHosts: TestHosts;
  /** authorities trusted beside the system's, PEM (tests) */
  ca?: string;
  /** milliseconds for the whole of it, default 10,000 */
  timeoutMs?: number;
}

const PATH = '/.well-known/svc-agent.txt';
const MOST_BYTES = 64 * 1024;

/**
 * Does the domain vouch for the key: does `https://<domain>/.well-known/svc-agent.txt` hold it on a line of its own?
 * No redirect is followed, no address but public ones connected to.
 * @throws Failure bad_request that says which condition failed
 */
export async function checkDomain(
  domain: string,
  publicKey: string,
  options: DomainCheckOptions,
): Promise<void> {
  const text = await fetchFile(domain, options);
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  if (!lines.some((line) => line.trim().toLowerCase() === publicKey)) {
    throw badField(
      'domain',
      `https://${domain}${PATH} does not list the key ${publicKey} on a line of its own`,
    );
  }
}

function fetchFile(
  domain: string,
  { testHosts, ca, timeoutMs = 10_000 }: DomainCheckOptions,
): Promise<string> {
  const refuse = (problem: string) => badField('domain', `https://${domain}${PATH} ${problem}`);
  const test = testHosts.get(domain);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(
      {
        host: test?.address ?? domain,
        port: test?.port ?? 443,
        servername: domain,
        path: PATH,
        headers: { host: domain, accept: 'text/plain', 'user-agent': 'svc-domain-check' },
        agent: false,
        signal,
        ...(ca === undefined ? {} : { ca }),
        ...(test ? {} : { lookup: lookupPublic }),
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        if (status !== 200) {
          sent.destroy();
          const redirects = status >= 300 && status < 400;
          return reject(refuse(redirects ? 'redirects, which is not followed' : `answered ${status}`));
        }
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_BYTES) {
            sent.destroy();
            reject(refuse('is larger than 64 KB'));
          } else chunks.push(chunk);
        });
        answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
        answer.on('error', () => reject(refuse(reasonOf(signal))));
      },
    );
    sent.on('error', (error) => reject(refuse(reasonOf(signal, error))));
    sent.end();
  });
}

/** In words that tell what to mend, and nothing of our network. */
function reasonOf(signal: AbortSignal, error?: NodeJS.ErrnoException): string {
  if (signal.aborted) return 'did not answer in time';
  if (error instanceof NotPublic) return 'has no public address';
  const code = error?.code ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be found by name';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code))
    return 'does not have a valid certificate';
  return 'cannot be reached';
}
