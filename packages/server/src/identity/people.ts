import type { AuthorColumns } from './caller.ts';
import type { Session } from './issuer.ts';

/** A person's account, with the subject at the issuer. */
export interface Person extends AuthorColumns {
  subject: string;
  suspended_for: string | null;
  user_id: string;
}

/** Finds the account of a session; the module `accounts` implements it. */
export interface People {
  /** The account of a session; created at the first sign-in. */
  of(session: Session, token: string): Promise<Person>;
}
