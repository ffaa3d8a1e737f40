/** By what a name would pass for a handle, or for something this service says of an account. */
const POSING = /[@＠﹫✓✔☑✅⍻🗸🗹]\u{fe0f}?/gu;

/** An account's name as it is shown, before its handle: nobody looks like another's handle, or like a confirmed one. */
export function nameOf({ display_name: name, username }: { display_name: string; username: string }): string {
  const tame = name.replace(POSING, ' ').replace(/\s+/gu, ' ').trim();
  return tame === '' ? username : tame;
}
