export function safeUrl(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}

type Values = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

export function withQuery(path: string, values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return text === '' ? [] : [`${name}=${encodeURIComponent(text).replaceAll('%2C', ',')}`];
  });
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

export const installLine = (baseUrl: string): string => `npm install ${baseUrl}/install/svc-cli.tgz`;
