import { badField } from '../platform/failure.ts';
import { type GuardedOptions, guardedRequest, GuardRefused } from '../platform/outgoing/guarded-request.ts';

const PATH = '/.well-known/svc-agent.txt';

/** The file must contain the key on a separate line. No redirects, public addresses only. */
export async function checkDomain(domain: string, publicKey: string, options: GuardedOptions): Promise<void> {
  const text = await fetchFile(domain, options);
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  if (!lines.some((line) => line.trim().toLowerCase() === publicKey)) {
    throw badField(
      'domain',
      `https://${domain}${PATH} does not list the key ${publicKey} on a line of its own`,
    );
  }
}

async function fetchFile(domain: string, options: GuardedOptions): Promise<string> {
  const refuse = (problem: string) => badField('domain', `https://${domain}${PATH} ${problem}`);
  try {
    const { status, text } = await guardedRequest(
      {
        method: 'GET',
        host: domain,
        path: PATH,
        headers: { accept: 'text/plain', 'user-agent': 'svc-domain-check' },
        wantsText: (found) => found === 200,
      },
      options,
    );
    if (status === 200) return text;
    const redirects = status >= 300 && status < 400;
    throw refuse(redirects ? 'redirects, which is not followed' : `answered ${status}`);
  } catch (error) {
    throw error instanceof GuardRefused ? refuse(error.message) : error;
  }
}
