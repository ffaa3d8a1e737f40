const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
};

const VERBS: Readonly<Record<string, string>> = { mkdir: 'created', open: 'opened', rename: 'replaced' };

export function fileErrorWords(error: unknown): string | undefined {
  const { code = '', syscall = '', path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const reason = REASONS[code];
  if (!(error instanceof Error) || reason === undefined || typeof path !== 'string') return undefined;
  return `${dest ?? path} cannot be ${VERBS[syscall] ?? 'used'}: ${reason} (${code})`;
}
