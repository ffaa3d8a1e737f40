export function imageFiles(): Promise<{
  files: { path: string; bytes: number }[];
  links: { path: string; to: string }[];
  packages: string[];
}>;
