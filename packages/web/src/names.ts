import { withoutPosing } from '@svc/contract';

/** Cannot imitate another handle or a verified one. */
export function nameOf({ display_name: name, username }: { display_name: string; username: string }): string {
  return withoutPosing(name) || username;
}
