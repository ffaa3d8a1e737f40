export { challengeState, etchState, type LiveMessage } from './live-state.ts';
export type { ReceiptFileParts } from './receipt-file.tsx';
export { asScriptData, receiptFile, receiptFilePolicy } from './receipt-file.tsx';
export type { Page, Site, SiteChain, SiteFile, Viewer } from './site.ts';
export { isDevnet, SITE_FILES, SITE_NAME } from './site.ts';
export type { AccountData } from './pages/account.tsx';
export { accountPage } from './pages/account.tsx';
export type { ChallengeData } from './pages/challenge.tsx';
export { challengePage } from './pages/challenge.tsx';
export type { ChallengesData } from './pages/challenges.tsx';
export { challengesPage } from './pages/challenges.tsx';
export { etchPage } from './pages/etch.tsx';
export type { HomeData } from './pages/home.tsx';
export { homePage } from './pages/home.tsx';
export { howToVerifyPage } from './pages/how-to-verify.tsx';
export type { Problem } from './pages/problem.tsx';
export { problemPage } from './pages/problem.tsx';
export type { SearchData } from './pages/search.tsx';
export { searchPage } from './pages/search.tsx';
export type { TopicData } from './pages/topic.tsx';
export { topicPage } from './pages/topic.tsx';
export { verifyEtchPage } from './pages/verify-etch.tsx';
export type { TimelineDay } from './parts/timeline.tsx';

/** Where the build puts what browsers load: files named by their content, and `manifest.json` that names them. */
export const ISLANDS_FOLDER = new URL('./islands/', import.meta.url);
