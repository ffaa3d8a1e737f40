import type { AuthorColumns } from './caller.ts';
import type { Session } from './issuer.ts';

export interface Person extends AuthorColumns {
  subject: string;
  suspended_for: string | null;
  user_id: string;
}

export interface People {
  /** Creates the account at the first sign-in. */
  of(session: Session, token: string): Promise<Person>;
}
