export interface ServerUser {
  uid: number;
  gid: number;
}

export function serverUser(): ServerUser | undefined;
export function temporaryFolder(user: ServerUser | undefined): string;
export function readableByOthers(path: string): boolean;
