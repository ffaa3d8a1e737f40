/** docs/specification.md#status-of-an-etch */
export function statusAt(
  row: { status: 'sealed' | 'revealed' | 'retracted'; reveal_at: string | null },
  now: number,
): 'sealed' | 'revealed' | 'retracted' {
  if (row.status !== 'sealed') return row.status;
  return row.reveal_at !== null && Date.parse(row.reveal_at) <= now ? 'revealed' : 'sealed';
}
