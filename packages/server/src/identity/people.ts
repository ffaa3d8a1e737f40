import type { AuthorColumns } from './caller.ts';
import type { Session } from './issuer.ts';

/** A person's account, as whoever signs people in knows it. */
export interface Person extends AuthorColumns {
  subject: string;
  suspended_for: string | null;
  user_id: string;
}

/** Whose account a session is; handed in by the room that keeps accounts. */
export interface People {
  /** The account behind a session; made at first sight. */
  of(session: Session, token: string): Promise<Person>;
}
