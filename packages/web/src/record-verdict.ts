/** The verdict of the browser's check of a record by the index of accounts. docs/claims.md lists the sentences. */
export const RECORD_VERDICTS = {
  operator: [
    'Complete by the operator’s index; nobody whom you named has recomputed it.',
    'Your browser checked the signed checkpoint of the log, the proof in the index and every etch of the record. It still trusts the operator that the index is current and has every etch.',
  ],
  fail: ['Something is left out or different, or the index contradicts itself or its past.', ''],
  wait: ['Not proven now; nothing that was read contradicts the record.', ''],
} as const;
