import type { Json } from '../json.ts';

export async function askNode(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<{ result?: Json; error?: { code: number; message: string } }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { result?: Json; error?: { code: number; message: string } };
}

export async function rpc(url: string, method: string, ...params: unknown[]): Promise<Json> {
  const { result, error } = await askNode(url, method, params);
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
