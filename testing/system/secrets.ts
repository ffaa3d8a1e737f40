/** Output that contains this shows a text that a test commits to. */
export const CANARY = 'canary-0f7e';

interface Secret {
  what: string;
  value: string;
}

const secrets: Secret[] = [];
const salts = new Set<string>();
const printed: string[] = [];

/** From now on no process may print this value. */
export function keepSecret(what: string, value: string): void {
  secrets.push({ what, value });
}

export function keepSalt(salt: string): void {
  salts.add(salt);
}

export function notePrinted(text: string): void {
  printed.push(text);
}

export function forgetPrinted(): void {
  printed.length = 0;
}

export function findLeaks(): { characters: number; leaks: string[] } {
  const text = printed.join('');
  const leaks: string[] = [];
  const found = (what: string, at: number): void => {
    leaks.push(`${what}: …${text.slice(Math.max(0, at - 150), at)}<here>`);
  };
  for (const { what, value } of [{ what: 'a text', value: CANARY }, ...secrets]) {
    const at = text.indexOf(value);
    if (at >= 0) found(what, at);
  }
  for (const match of text.matchAll(/[0-9a-f]{64}/g)) if (salts.has(match[0])) found('a salt', match.index);
  // A key's prefix may be printed.
  for (const match of text.matchAll(/svc_sk_[A-Za-z0-9_-]{12}/g)) found('an API key', match.index);
  return { characters: text.length, leaks };
}
