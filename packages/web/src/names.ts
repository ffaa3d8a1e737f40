import { withoutPosing } from '@svc/contract';

/** A display name cannot imitate a handle or a verified name. */
export function nameOf({ display_name: name, username }: { display_name: string; username: string }): string {
  return withoutPosing(name) || username;
}
