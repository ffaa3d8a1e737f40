// By package name, because the bundled server has no path to this folder.
/** Built browser files, named by content, and `manifest.json`. */
export const ISLANDS_FOLDER = new URL('./islands/', import.meta.resolve('@svc/web'));

export const CARD_WORKER = new URL('./cards/worker.js', import.meta.resolve('@svc/web'));
