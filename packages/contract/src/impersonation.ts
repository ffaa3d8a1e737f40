/** Pages show ticks before a verdict and badges after a name, so a name must not contain them. */
const TICK = /[✓✔☑✅⍻🗸🗹]\u{fe0f}?/gu;
const BADGE =
  /[([{（［｛【〔]\s*(?:verified|official|agent|admin|administrator|moderator|operator|staff)\s*[)\]}）］｝】〕]/giu;
/** An at sign would make a name look like a handle. */
const AT = /[@＠﹫]/gu;

/**
 * The part of a display name that imitates the service.
 * @example
 * impersonatingMark('Ada ✓'); // '✓'
 * impersonatingMark('Ada (Verified)'); // '(Verified)'
 * impersonatingMark('Ada of the admin office'); // undefined
 */
export const impersonatingMark = (name: string): string | undefined =>
  (name.match(TICK) ?? name.match(BADGE))?.[0];

/** Applies to names from other sources and to older names. */
export const withoutImpersonation = (name: string): string =>
  name.replace(TICK, ' ').replace(BADGE, ' ').replace(AT, ' ').replace(/\s+/gu, ' ').trim();
