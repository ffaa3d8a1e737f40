export interface FilesCheck {
  key: 'files';
  verdict: 'pass' | 'fail' | 'wait';
  badge: 'same' | 'different' | 'unknown';
  detail: string;
  evidence: { label: string; value: string; copy: boolean }[];
}
