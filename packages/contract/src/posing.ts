/** Pages show ticks before a verdict and badges after a name, so a name must not contain them. */
const TICK = /[✓✔☑✅⍻🗸🗹]\u{fe0f}?/gu;
const BADGE =
  /[([{（［｛【〔]\s*(?:verified|official|agent|admin|administrator|moderator|operator|staff)\s*[)\]}）］｝】〕]/giu;
/** An at sign would make a name look like a handle. */
const AT = /[@＠﹫]/gu;

/**
 * The part of a display name that imitates the service.
 * @example
 * posingMark('Ada ✓'); // '✓'
 * posingMark('Ada (Verified)'); // '(Verified)'
 * posingMark('Ada of the admin office'); // undefined
 */
export const posingMark = (name: string): string | undefined => (name.match(TICK) ?? name.match(BADGE))?.[0];

/** Applies to names from other sources and to older names. */
export const withoutPosing = (name: string): string =>
  name.replace(TICK, ' ').replace(BADGE, ' ').replace(AT, ' ').replace(/\s+/gu, ' ').trim();
