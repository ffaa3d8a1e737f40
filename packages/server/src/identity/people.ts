import type { AuthorColumns } from './caller.ts';
import type { Session } from './issuer.ts';

export interface Person extends AuthorColumns {
  subject: string;
  suspended_for: string | null;
  user_id: string;
}

export interface People {
  of(session: Session, token: string): Promise<Person>;
}
