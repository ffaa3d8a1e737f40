/** Ticks, which the pages show before a verdict: in a name they would look like a verdict of the service, */
const TICK = /[✓✔☑✅⍻🗸🗹]\u{fe0f}?/gu;
/** and so would its badges, which the pages show in a frame after a name. */
const BADGE =
  /[([{（［｛【〔]\s*(?:verified|official|agent|admin|administrator|moderator|operator|staff)\s*[)\]}）］｝】〕]/giu;
/** An at sign would make a name look like a handle. */
const AT = /[@＠﹫]/gu;

/**
 * The part of a display name that imitates the service; undefined for none.
 * @example
 * posingMark('Ada ✓'); // '✓'
 * posingMark('Ada (Verified)'); // '(Verified)'
 * posingMark('Ada of the admin office'); // undefined
 */
export const posingMark = (name: string): string | undefined => (name.match(TICK) ?? name.match(BADGE))?.[0];

/** The name without such parts, for names from another source or from before the check. */
export const withoutPosing = (name: string): string =>
  name.replace(TICK, ' ').replace(BADGE, ' ').replace(AT, ' ').replace(/\s+/gu, ' ').trim();
