import { withoutPosing } from '@svc/contract';

/** An account's name as it is shown, before its handle: nobody looks like another's handle, or like a confirmed one. */
export function nameOf({ display_name: name, username }: { display_name: string; username: string }): string {
  return withoutPosing(name) || username;
}
