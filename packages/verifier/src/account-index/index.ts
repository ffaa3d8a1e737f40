export {
  auditByIndex,
  type IndexAudit,
  type IndexFindings,
  indexReport,
  indexResult,
} from './audit-index.ts';
export type { ComparedRecord } from './compare-index.ts';
export { readWholeIndex } from './index-pages.ts';
export { type KeptIndex, KeptMismatch } from './kept-index.ts';
export { logReader, type LogReader, LogUnread, readCheckpoint, readEntries } from './log-reader.ts';
export { checkOmission, makeOmission, OMISSION_FORMAT, parseOmission } from './omission.ts';
export {
  checkSavedIndex,
  type IndexReading,
  keysOfLog,
  readTree,
  type SavedTrust,
  tailWords,
  treeOf,
} from './read-index.ts';
export { checkSavedPlace, type PlaceCheck, readReceiptPlace } from './receipt-place.ts';
export {
  type CheckedRecord,
  checkRecordFile,
  makeRecordFile,
  parseRecordFile,
  RECORD_FORMAT,
  type RecordFile,
} from './saved-record.ts';
